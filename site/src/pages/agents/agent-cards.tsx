import type { Network } from '@slipway/client'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import card from '../../components/card.module.css'
import { Amount, TimeAgo } from '../../components/figures.tsx'
import { Skeleton } from '../../components/notice.tsx'
import { VerifiedMark } from '../../components/text.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { agentHref, agentTitle, describeService, type ListedAgent } from '../../lib/agents.ts'
import { NATIVE_DECIMALS, plural } from '../../lib/format.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './agent-cards.module.css'

export function AgentCards({
  agents,
  balances = {},
  network,
  isStale,
}: {
  agents: readonly ListedAgent[]
  /** What their wallets hold, in lamports, as far as it is known. */
  balances?: Record<string, string> | undefined
  network: Network
  /** Whether these are the results of the previous search. */
  isStale: boolean
}) {
  return (
    <ul className={isStale ? `${styles.cards} ${styles.stale}` : styles.cards} aria-busy={isStale}>
      {agents.map(agent => (
        <li key={agent.address}>
          <Card agent={agent} balance={balances[agent.walletAddress]} network={network} />
        </li>
      ))}
    </ul>
  )
}

const SERVICES_SHOWN = 2
const NONE = <span className="faint">None</span>
const ON_ITS_PAGE = <span className="faint">On its page</span>

/** Each fact has the same place in every card, so that agents can be compared. One that says nothing about itself gets less room. */
function Card({
  agent,
  balance,
  network,
}: {
  agent: ListedAgent
  balance: string | undefined
  network: Network
}) {
  const { networks } = useSite().settings
  const { address, image, createdAt, description, services, delegates, isDescribed, hasDocument } = agent
  const name = agentTitle(agent)
  const held = balance !== undefined && <Amount units={balance} decimals={NATIVE_DECIMALS} symbol="SOL" />
  const facts = [
    createdAt !== '' && (
      <>
        Registered <TimeAgo at={createdAt} />
      </>
    ),
    !agent.isActive && 'Inactive',
    agent.isSpotlighted && 'In the spotlight',
  ].filter(fact => fact !== false)
  return (
    <Link href={agentHref(address, network, networks)} className={`${card.card} ${styles.card}`}>
      <span className="row shrinks gap-3">
        <TokenPicture image={image} name={name} address={address} size={44} />
        <span className="stack shrinks">
          <span className={styles.name}>
            <bdi>{name}</bdi>
            {agent.isVerified && <VerifiedMark />}
          </span>
          <span className="clipped small faint">
            {facts.map((fact, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
              <Fragment key={at}>
                {at > 0 && ' · '}
                {fact}
              </Fragment>
            ))}
          </span>
        </span>
      </span>
      {isDescribed ? (
        <>
          <span className={description ? styles.description : `${styles.description} faint`} dir="auto">
            {description || 'No description'}
          </span>
          <Skills agent={agent} />
          <span className={styles.compared}>
            <Compared label="Services">
              {services.length > 0 ? (
                <Services services={services} />
              ) : agent.isShortened ? (
                ON_ITS_PAGE
              ) : (
                NONE
              )}
            </Compared>
            <Compared label="Token">{agent.hasToken ? 'Its own' : NONE}</Compared>
            <Compared label="Wallet">{held}</Compared>
          </span>
        </>
      ) : (
        <span className={styles.bare}>
          <span>{hasDocument ? 'Its document can’t be read' : 'It has no document'}</span>
          {held && (
            <span>
              Wallet <b>{held}</b>
            </span>
          )}
        </span>
      )}
      {delegates > 0 && (
        <span className={styles.warning}>
          {plural(delegates, 'other wallet', 'other wallets')} can spend from its wallet
        </span>
      )}
    </Link>
  )
}

function Skills({ agent: { skills, skillCount } }: { agent: ListedAgent }) {
  const rest = skillCount - skills.length
  return (
    <span className={styles.skills} dir="auto">
      {skills.length > 0 && (
        <>
          <b>{skillCount > 1 ? 'Skills:' : 'Skill:'}</b> <bdi>{skills.join(', ')}</bdi>
          {rest > 0 && ` and ${rest} more`}
        </>
      )}
    </span>
  )
}

/** Keeps its place while its value is not known. */
const Compared = ({ label, children }: { label: string; children: ReactNode }) => (
  <span className={styles.fact}>
    {children && (
      <>
        <span className={styles.label}>{label}</span> <span className={styles.value}>{children}</span>
      </>
    )}
  </span>
)

/** A link may contain phrases only, so this is not a list. */
const Services = ({ services }: { services: readonly string[] }) => (
  <span className={styles.services}>
    {services.slice(0, SERVICES_SHOWN).map(service => (
      <bdi key={service} title={describeService(service)}>
        {service}
      </bdi>
    ))}
    {services.length > SERVICES_SHOWN && <span>+{services.length - SERVICES_SHOWN}</span>}
  </span>
)

const PLACEHOLDERS = ['a', 'b', 'c', 'd', 'e', 'f']

export const AgentCardsSkeleton = () => (
  <ul className={styles.cards} role="status" aria-label="Loading agents">
    {PLACEHOLDERS.map(key => (
      <li key={key} className={`${card.card} ${styles.card}`}>
        <span className="row shrinks gap-3">
          <span className={styles.picture} />
          <span className="stack shrinks">
            <Skeleton />
          </span>
        </span>
        <Skeleton shape="title" />
        <Skeleton shape="short" />
      </li>
    ))}
  </ul>
)
