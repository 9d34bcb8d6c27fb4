import type { Network } from '@slipway/client'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { FormSection } from '../../components/form-layout.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { VerifiedMark } from '../../components/verified-mark.tsx'
import { agentTitle, type ListedAgent } from '../../lib/agents.ts'
import { formatCount, networkName, shorten } from '../../lib/format.ts'
import { ActAs } from '../../wallet/act-as.tsx'
import { useWallet, type WalletAccount } from '../../wallet/wallet-store.ts'
import { AgentTerms } from './agent-terms.tsx'
import formStyles from './form.module.css'
import { OWNED_MAX, OWNED_STEP, useOwnedAgents } from './owned-agents.ts'
import type { SectionProps } from './section.ts'
import type { Launcher } from './use-launcher.ts'
import styles from './who-section.module.css'

/** Who launches the token: the wallet, or an agent that it owns. */
export function WhoSection({
  launcher,
  network,
  ...section
}: SectionProps & { launcher: Launcher; network: Network }) {
  const { account } = useWallet()
  return (
    <FormSection title="Launched by">
      <div className={formStyles.fields}>
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
      <p className={formStyles.note} role="status">
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
  <span className={styles.who}>
    {picture}
    <span className={styles.text}>
      <b>{name}</b>
      <span className={formStyles.note}>{note}</span>
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
