import { type Agent, type Network, SlipwayError } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/fields.tsx'
import { FormSection } from '../../components/form.tsx'
import { VerifiedMark } from '../../components/text.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import {
  agentHref,
  agentTitle,
  type ListedAgent,
  type ListedAgents,
  toListedAgents,
} from '../../lib/agents.ts'
import { formatCount, networkName, shorten } from '../../lib/format.ts'
import { cut } from '../../lib/parse-json.ts'
import { agentQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { ActAs } from '../../wallet/wallet-button.tsx'
import { useWallet, type WalletAccount } from '../../wallet/wallet-store.ts'
import type { Draft } from './draft.ts'
import styles from './new-launch.module.css'
import { Radios, type SectionProps } from './sections.tsx'

/** Who launches the token: the wallet, or an agent that it owns. */
export function WhoSection({
  launcher,
  network,
  ...section
}: SectionProps & { launcher: Launcher; network: Network }) {
  const { account } = useWallet()
  return (
    <FormSection title="Launched by">
      <div className={styles.fields}>
        {/* A search among one wallet's agents means nothing for another wallet. */}
        <Launchers key={`${network} ${account?.address}`} {...section} {...{ account, launcher, network }} />
        {launcher.agent && launcher.fault === undefined && (
          <AgentTerms {...section} agent={launcher.agent} network={network} />
        )}
      </div>
    </FormSection>
  )
}

function Launchers({
  draft,
  faults,
  onChange,
  account,
  launcher,
  network,
}: SectionProps & { account: WalletAccount | undefined; launcher: Launcher; network: Network }) {
  const id = useId()
  const [text, setText] = useState('')
  const [count, setCount] = useState(OWNED_STEP)
  const { data, isError, refetch } = useOwnedAgents(network, account?.address, { text, count })
  const [hasMany, setHasMany] = useState(false)
  if (data && !hasMany && data.total > OWNED_STEP) setHasMany(true)
  const agents = data?.agents ?? []
  // The chosen agent stays visible, whatever the search finds.
  const isElsewhere = draft.agent !== '' && !agents.some(({ address }) => address === draft.agent)
  const choose = (agent: string) => {
    // Choices about one agent don't apply to another.
    if (agent !== draft.agent) onChange({ agent, agentToken: 'no', earner: 'wallet' })
  }
  const choice = (address: string, content: ReactNode) => (
    <label key={address} className={styles.launcher}>
      <input
        type="radio"
        name="agent"
        value={address}
        checked={draft.agent === address}
        onChange={() => choose(address)}
      />
      {content}
    </label>
  )
  return (
    <div className={styles.launchers}>
      {hasMany && (
        <Field
          type="search"
          label="Search your agents"
          value={text}
          maxLength={200}
          onChange={event => setText(event.target.value)}
          onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div
        role="radiogroup"
        tabIndex={-1}
        className={styles.group}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-error`}
        aria-invalid={faults.agent ? true : undefined}
      >
        <p id={`${id}-label`} className={styles.label}>
          Launch as
        </p>
        {choice('', <Who name="Your wallet" note={describeWallet(account)} />)}
        {isElsewhere && choice(draft.agent, <ChosenAgent address={draft.agent} launcher={launcher} />)}
        {agents.map(agent => choice(agent.address, <ListedChoice agent={agent} />))}
      </div>
      {data && data.total > agents.length && count < OWNED_MAX && (
        <Button onClick={() => setCount(shown => shown + OWNED_STEP)}>Show more agents</Button>
      )}
      <p id={`${id}-error`} role={faults.agent ? 'alert' : undefined} className={styles.error}>
        {faults.agent}
      </p>
      {launcher.fault !== undefined && launcher.agent && (
        <ActAs address={launcher.agent.owner}>Act as the agent’s owner</ActAs>
      )}
      <p className={styles.note} role="status">
        {!account ? (
          'If the wallet that you connect owns agents, you can launch as one of them.'
        ) : isError && !data ? (
          <>
            Your agents can’t be listed now.{' '}
            <button type="button" className="text-button" onClick={() => void refetch()}>
              Try again
            </button>
          </>
        ) : !data ? (
          'Looking for your agents…'
        ) : text.trim() !== '' && data.total === 0 ? (
          'None of your agents matches.'
        ) : data.total === 0 ? (
          <>
            This wallet owns no agents on {networkName(network)}. An agent can launch tokens too:{' '}
            <Link href="/agents/new">create one</Link>.
          </>
        ) : data.total > OWNED_MAX && count >= OWNED_MAX ? (
          `The newest ${OWNED_MAX} of ${formatCount(data.total)} agents are listed. Search for others.`
        ) : undefined}
      </p>
    </div>
  )
}

function describeWallet(account: WalletAccount | undefined): string {
  if (!account) return 'The one that you connect'
  const address = shorten(account.address)
  return account.label ? `${account.label}, ${address}` : address
}

const Who = ({ name, note, picture }: { name: ReactNode; note: ReactNode; picture?: ReactNode }) => (
  <span className="row shrinks gap-3">
    {picture}
    <span className={styles.text}>
      <b>{name}</b>
      <span className={styles.note}>{note}</span>
    </span>
  </span>
)

function ListedChoice({ agent }: { agent: ListedAgent }) {
  const name = agentTitle(agent)
  return (
    <Who
      name={
        <>
          <bdi>{name}</bdi>
          {agent.isVerified && <VerifiedMark />}
        </>
      }
      note={`Agent ${shorten(agent.address)}${agent.hasToken ? ', has its own token' : ''}`}
      picture={<TokenPicture image={agent.image} name={name} address={agent.address} size={24} />}
    />
  )
}

/** A chosen agent that the list does not show. */
function ChosenAgent({ address, launcher: { agent } }: { address: string; launcher: Launcher }) {
  const name = agent ? agentTitle(agent) : 'The agent that you chose'
  return (
    <Who
      name={<bdi>{name}</bdi>}
      note={`Agent ${shorten(address)}`}
      picture={<TokenPicture image={agent?.image} name={name} address={address} size={24} />}
    />
  )
}

/** Explains a launch by an agent, with the choices that it needs. */
function AgentTerms({
  draft,
  faults,
  onChange,
  agent,
  network,
}: SectionProps & { agent: Agent; network: Network }) {
  const { networks } = useSite().settings
  const name = <bdi>{agentTitle(agent)}</bdi>
  return (
    <>
      <p className={styles.note}>
        <Link href={agentHref(agent.address, network, networks)}>{name}</Link> becomes the creator of the
        launch, and the agent’s page lists the token. You sign and pay as the agent’s owner. If the agent is
        sold, the launch goes with it.
      </p>
      <OwnToken {...{ draft, faults, onChange, agent }} />
      <Radios
        {...{ draft, faults, onChange }}
        name="earner"
        legend={draft.mechanic === 'bondingCurve' ? 'Creator fees go to' : 'The creator’s share goes to'}
        choices={{ wallet: 'your wallet', agent: 'the agent’s wallet' }}
      >
        {draft.earner === 'agent' && (
          <p className={`${styles.note} ${styles.wide}`}>
            What the agent earns belongs to its owner. If you sell the agent, the buyer gets it. Earnings
            arrive as {draft.mechanic === 'bondingCurve' ? 'wrapped SOL' : 'wrapped SOL and tokens'}. The
            owner withdraws them on the agent’s page, where wrapped SOL becomes SOL.
          </p>
        )}
      </Radios>
    </>
  )
}

/** An agent can get only one token of its own. */
function OwnToken({ draft, faults, onChange, agent }: SectionProps & { agent: Agent }) {
  const id = useId()
  const { agentToken: token, agentTokenInfo: info } = agent
  const name = <bdi>{agentTitle(agent)}</bdi>
  if (token)
    return (
      <p className={styles.note}>
        {name} has its own token already: <bdi>{info?.symbol ?? shorten(token)}</bdi>. That can’t change, so
        this one will be another token that it launched.
      </p>
    )
  return (
    <div className={styles.ownToken}>
      <label>
        <input
          type="checkbox"
          name="agentToken"
          checked={draft.agentToken === 'yes'}
          onChange={event => onChange({ agentToken: event.target.checked ? 'yes' : 'no' })}
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={faults.agentToken ? true : undefined}
        />
        <span>Make this {name}’s own token</span>
      </label>
      <p id={`${id}-hint`} className={styles.note}>
        The agent’s identity then names this token. An agent has one token of its own, and it can never be
        changed or taken back. Leave it off if you are not sure.
      </p>
      <p id={`${id}-error`} role={faults.agentToken ? 'alert' : undefined} className={styles.error}>
        {faults.agentToken}
      </p>
    </div>
  )
}

const OWNED_STEP = 8
/** The largest page of the API. More agents than this are found with the search. */
const OWNED_MAX = 100
const PAUSE_MS = 250
const POLL_MS = 30_000

/** The agents that a wallet owns, the newest first, or those of them that match a text. */
function useOwnedAgents(
  network: Network,
  owner: string | undefined,
  { text, count }: { text: string; count: number },
) {
  const { slipway } = useSite()
  const searched = usePaused(text.trim())
  const pageSize = Math.min(count, OWNED_MAX)
  return useQuery({
    // Events about agents make this out of date.
    queryKey: queryKeys.ownedAgents(network, owner, searched, pageSize),
    queryFn: async ({ signal }): Promise<ListedAgents> => {
      const request = { network, owner: owner as string, pageSize, ...(searched && { query: searched }) }
      return toListedAgents(await slipway.agents.list(request, { signal }))
    },
    enabled: owner !== undefined,
    // Those of another wallet must not be offered.
    placeholderData: (known, query) =>
      query && query.queryKey[1] === network && query.queryKey[3] === owner ? known : undefined,
    refetchInterval: POLL_MS,
  })
}

/** The text as it was when no key had been pressed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

const NAME_LENGTH_MAX = 120

/** Who launches the token, as far as the page knows. Without an agent, it is the wallet. */
export interface Launcher {
  agent: Agent | undefined
  /** Why the chosen agent can't launch. */
  fault: string | undefined
  /** Whether the chosen agent is still being looked up. */
  isPending: boolean
}

/**
 * The agent that was chosen. If another wallet is connected later, the choice stays and is a fault: a launch by the
 * wallet instead of the agent could not be corrected.
 */
export function useLauncher({ agent: address }: Draft, network: Network): Launcher {
  const { slipway } = useSite()
  const { account } = useWallet()
  const { data, error } = useQuery({ ...agentQuery(slipway, network, address), enabled: address !== '' })
  if (address === '') return { agent: undefined, fault: undefined, isPending: false }
  if (!data)
    return { agent: undefined, fault: error ? explain(error, network) : undefined, isPending: !error }
  const agent = { ...data, name: cut(data.name, NAME_LENGTH_MAX) }
  const isOthers = account !== undefined && agent.owner !== account.address
  const fault = isOthers ? `The connected wallet doesn’t own ${agentTitle(agent)}. Choose again.` : undefined
  return { agent, fault, isPending: false }
}

function explain(error: Error, network: Network): string {
  if (error instanceof SlipwayError && error.status === 404)
    return `The agent that you chose isn’t registered on ${networkName(network)}. Choose again.`
  return 'The agent that you chose can’t be looked up now. Choose again, or try later.'
}
