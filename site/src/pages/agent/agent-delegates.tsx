import type { Agent, AgentDelegate, Network } from '@slipway/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Action } from '../../actions/action.ts'
import { useActionSheet } from '../../actions/use-sheet.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/fields.tsx'
import { TimeAgo } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { Skeleton } from '../../components/notice.tsx'
import { Address } from '../../components/text.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { refreshConfirmed } from '../../lib/confirmed.ts'
import { shorten } from '../../lib/format.ts'
import { isAddress } from '../../lib/links.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { agentDelegatesQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import styles from './agent.module.css'

/** Who can spend from the agent's wallet. */
export function AgentDelegates({ agent, network }: { agent: Agent; network: Network }) {
  const { slipway } = useSite()
  const isHydrated = useIsHydrated()
  const { data, isError } = useQuery({
    ...agentDelegatesQuery(slipway, network, agent.address),
    enabled: isHydrated,
  })
  const queryClient = useQueryClient()
  const { open, sheet } = useActionSheet()
  const { account } = useWallet()
  const me = account?.networks.includes(network) ? account.address : undefined
  const act: Act = (action, onDone = () => {}) =>
    open({
      ...action,
      network,
      onConfirmed() {
        onDone()
        refreshConfirmed(queryClient, [queryKeys.agentDelegates(network, agent.address)])
      },
    })
  const revoke = ({ record, wallet }: AgentDelegate) =>
    act({
      key: `revoke:${network}:${record}`,
      title: `Revoke ${shorten(wallet)}`,
      done: 'This wallet can no longer spend from the agent’s wallet.',
      async build(signal) {
        const request = { sender: me ?? '', record, network }
        const { tx, blockhash } = await slipway.agents.revoke(agent.address, request, { signal })
        const intent = { kind: 'revoke', agent: agent.address, delegate: wallet } as const
        return { transactions: [tx], blockhash, intent }
      },
    })

  return (
    <Panel title="Who can spend">
      {!data ? (
        isError ? (
          <p className={styles.unread}>
            This can’t be read right now. Don’t assume that only the owner can spend.
          </p>
        ) : (
          <Skeleton unscripted="To see who can spend, allow JavaScript." />
        )
      ) : (
        <>
          <p>{describeSpenders(data.total)}</p>
          {data.total > 0 && (
            <ul className={styles.delegates}>
              {data.delegates.map(delegate => (
                <li key={delegate.record}>
                  <span className={styles.holding}>
                    <Address address={delegate.wallet} network={network} label="the delegate’s address" />
                    {(me === agent.owner || me === delegate.wallet) && (
                      <button type="button" className="text-button" onClick={() => revoke(delegate)}>
                        Revoke
                      </button>
                    )}
                  </span>
                  <span className={delegate.byFormerOwner ? styles.mismatch : styles.since}>
                    {delegate.byFormerOwner ? 'Appointed under a former owner' : 'Appointed'}
                    {delegate.since && (
                      <>
                        {', seen '}
                        <TimeAgo at={delegate.since} />
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      {me === agent.owner && <Appoint agent={agent} network={network} act={act} owner={me} />}
      {me !== undefined && me !== agent.owner && <Register network={network} act={act} wallet={me} />}
      {sheet}
    </Panel>
  )
}

export function describeSpenders(total: number): string {
  if (total === 0) return 'Only the owner can move what the agent’s wallet holds.'
  const others = total === 1 ? 'another wallet' : `${total} other wallets`
  return `Besides the owner, ${others} can move everything that the agent’s wallet holds. A sale of the agent doesn’t change that.`
}

type Act = (action: Omit<Action, 'network' | 'onConfirmed'>, onDone?: () => void) => void

function Appoint({
  agent,
  network,
  act,
  owner,
}: {
  agent: Agent
  network: Network
  act: Act
  owner: string
}) {
  const { slipway } = useSite()
  const [text, setText] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const executive = text.trim()
  const fault =
    isSubmitted && !isAddress(executive)
      ? 'Enter the address of a wallet.'
      : executive === owner
        ? 'This is your own wallet. As the owner, you can already spend.'
        : undefined

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setSubmitted(true)
    if (!isAddress(executive) || executive === owner) return
    const action = {
      key: `delegate:${network}:${agent.address}`,
      title: `Let ${shorten(executive)} spend for ${agentTitle(agent)}`,
      done: 'This wallet can now move everything that the agent’s wallet holds.',
      async build(signal: AbortSignal) {
        const request = { sender: owner, executive, network }
        const { tx, blockhash } = await slipway.agents.delegate(agent.address, request, { signal })
        const intent = { kind: 'delegate', agent: agent.address, executive } as const
        return { transactions: [tx], blockhash, intent }
      },
    }
    act(action, () => {
      setText('')
      setSubmitted(false)
    })
  }

  return (
    <details className={styles.appoint}>
      <summary className="reach">Let another wallet spend</summary>
      <form onSubmit={submit} noValidate>
        <Field
          label="The wallet’s address"
          hint="This wallet can then move everything that the agent’s wallet holds, until you revoke the delegation. The wallet must be registered as an executive: its holder does that on this page."
          value={text}
          onChange={event => setText(event.target.value)}
          error={fault}
        />
        <Button type="submit">Review</Button>
      </form>
    </details>
  )
}

function Register({ network, act, wallet }: { network: Network; act: Act; wallet: string }) {
  const { slipway } = useSite()
  return (
    <details className={styles.appoint}>
      <summary className="reach">Become a delegate</summary>
      <p className="small faint top-2">
        The agent’s owner can appoint your wallet once it is registered as an executive. Registration alone
        doesn’t let your wallet spend anything.
      </p>
      <Button
        onClick={() =>
          act({
            key: `register-executive:${network}:${wallet}`,
            title: 'Register as an executive',
            done: 'Owners of agents can now appoint your wallet as a delegate.',
            async build(signal) {
              const { tx, blockhash } = await slipway.executives.register({ wallet, network }, { signal })
              return { transactions: [tx], blockhash, intent: { kind: 'register-executive' } }
            },
          })
        }
      >
        Register my wallet
      </Button>
    </details>
  )
}
