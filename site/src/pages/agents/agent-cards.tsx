import type { Network } from '@slipway/client'
import { Link } from 'wouter'
import card from '../../components/card.module.css'
import { Skeleton } from '../../components/skeleton.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { VerifiedMark } from '../../components/verified-mark.tsx'
import { agentHref, agentTitle, type ListedAgent } from '../../lib/agents.ts'
import { plural } from '../../lib/format.ts'
import { describeService } from '../../lib/service-words.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './agent-cards.module.css'

export function AgentCards({
  agents,
  network,
  isStale,
}: {
  agents: readonly ListedAgent[]
  network: Network
  /** Whether these are the results of the previous search. */
  isStale: boolean
}) {
  return (
    <ul className={isStale ? `${styles.cards} ${styles.stale}` : styles.cards} aria-busy={isStale}>
      {agents.map(agent => (
        <li key={agent.address}>
          <Card agent={agent} network={network} />
        </li>
      ))}
    </ul>
  )
}

const SERVICES_SHOWN = 3

function Card({ agent, network }: { agent: ListedAgent; network: Network }) {
  const { networks } = useSite().settings
  const { address, image, description, services, skillCount } = agent
  const name = agentTitle(agent)
  const facts = [
    agent.isSpotlighted && 'In the spotlight',
    agent.hasToken && 'Has a token',
    skillCount > 1 && plural(skillCount, 'skill'),
    !agent.isActive && 'Inactive',
    agent.isDescribed
      ? !description && 'No description'
      : agent.hasDocument
        ? 'Document can’t be read'
        : 'No document',
  ].filter(Boolean)
  return (
    <Link href={agentHref(address, network, networks)} className={`${card.card} ${styles.card}`}>
      <span className={styles.top}>
        <TokenPicture image={image} name={name} address={address} size={44} />
        <span className={styles.who}>
          <span className={styles.name}>
            <bdi>{name}</bdi>
            {agent.isVerified && <VerifiedMark />}
          </span>
          {facts.length > 0 && <span className={styles.facts}>{facts.join(' · ')}</span>}
        </span>
      </span>
      {description && (
        <span className={styles.description} dir="auto">
          {description}
        </span>
      )}
      {services.length > 0 && <Services services={services} />}
    </Link>
  )
}

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
        <span className={styles.top}>
          <span className={styles.picture} />
          <span className={styles.who}>
            <Skeleton />
          </span>
        </span>
        <Skeleton shape="title" />
        <Skeleton shape="short" />
      </li>
    ))}
  </ul>
)
