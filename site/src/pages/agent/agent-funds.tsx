import { type Agent, formatAmount, type Network, type SlipwayError } from '@slipway/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Action } from '../../actions/action.ts'
import { useActionSheet } from '../../actions/use-sheet.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { focusFirstFault } from '../../components/form-layout.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { explainDetail } from '../../lib/explain-detail.ts'
import { shorten } from '../../lib/format.ts'
import { explainUnits, findUnitsFault, parseUnits } from '../../lib/parse-units.ts'
import { balanceQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { ActAs } from '../../wallet/act-as.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import styles from './agent-funds.module.css'

const DECIMALS = 9
/** From here on, the API can't tell amounts apart. */
const LAMPORTS_END = 2n ** 53n
const MEMO_LENGTH_MAX = 256
const EMPTY = { amount: '', memo: 'Funds' }

/** Pays into the agent's wallet, or back to its owner. */
export function AgentFunds({
  agent,
  network,
  balance,
}: {
  agent: Agent
  network: Network
  /** In the smallest unit; undefined while it is not known. */
  balance: string | undefined
}) {
  const [way, setWay] = useState<'fund' | 'withdraw'>('fund')
  const { account } = useWallet()
  const isOwner = account?.address === agent.owner
  return (
    <div className={styles.funds}>
      <Tabs
        label="What to do"
        choices={[
          { value: 'fund', text: 'Fund' },
          { value: 'withdraw', text: 'Withdraw' },
        ]}
        current={way}
        onChoose={setWay}
      />
      {!account ? (
        <>
          <p className={styles.note}>
            {way === 'fund' ? 'Anyone can fund an agent.' : 'Only the owner can withdraw.'}
          </p>
          <Button kind="primary" onClick={openWalletDialog}>
            Connect a wallet
          </Button>
        </>
      ) : !account.networks.includes(network) ? (
        <p className={styles.note}>
          The connected account is for another network. <ActAs address={agent.owner}>Act as the owner</ActAs>
        </p>
      ) : way === 'withdraw' && !isOwner ? (
        <p className={styles.note}>
          Only the owner, {shorten(agent.owner)}, can withdraw. You are connected as{' '}
          {account.label ?? shorten(account.address)}. <ActAs address={agent.owner}>Act as the owner</ActAs>
        </p>
      ) : (
        <AmountForm key={way} {...{ way, agent, network, balance }} sender={account.address} />
      )}
    </div>
  )
}

function AmountForm({
  way,
  agent,
  network,
  balance,
  sender,
}: {
  way: 'fund' | 'withdraw'
  agent: Agent
  network: Network
  balance: string | undefined
  sender: string
}) {
  const { slipway, settings } = useSite()
  const queryClient = useQueryClient()
  const { open, sheet } = useActionSheet()
  const key = `${way}:${network}:${agent.address}`
  const { draft, change } = useDraft(key, EMPTY, {}, 'sessionStorage')
  const { amount, memo } = draft
  const [isSubmitted, setSubmitted] = useState(false)
  const [refusals, setRefusals] = useState<Refusals>({})
  const rpcUrl = settings.rpc[network]?.url
  const { data: funds } = useQuery({
    ...balanceQuery(rpcUrl ?? '', network, sender),
    enabled: way === 'fund' && rpcUrl !== undefined,
  })
  const lamports = parseUnits(amount, DECIMALS)
  const amountFault =
    findAmountFault(amount, isSubmitted) ??
    findShortage(lamports, way === 'fund' ? ['You have', funds] : ['The agent has', balance])
  const faults = {
    amount: amountFault ?? refusals.amount,
    memo: memo.trim() === '' ? 'Enter a note. It is part of the transaction.' : refusals.memo,
  }

  function changeAmount(text: string) {
    setRefusals({})
    change({ amount: text })
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    setSubmitted(true)
    // What the API has refused may be tried again.
    if (lamports === undefined || amountFault || (way === 'fund' && memo.trim() === '')) return
    setRefusals({})
    const value = Number(formatAmount(`${lamports}`, DECIMALS))
    const note = memo.trim()
    const name = agentTitle(agent)
    const common = { agent: agent.address, agentWallet: agent.walletAddress, lamports }
    const action: Action = {
      key,
      draft: key,
      title: way === 'fund' ? `Fund ${name}` : `Withdraw from ${name}`,
      network,
      async build(signal) {
        const { tx, blockhash } =
          way === 'fund'
            ? await slipway.agents.fund(
                agent.address,
                { sender, amount: value, memo: note, network },
                { signal },
              )
            : await slipway.agents.withdraw(agent.address, { sender, amount: value, network }, { signal })
        return {
          transactions: [tx],
          blockhash,
          intent: way === 'fund' ? { kind: 'fund', ...common, memo: note } : { kind: 'withdraw', ...common },
        }
      },
      done: way === 'fund' ? 'The agent has the funds.' : 'The funds are in your wallet.',
      onConfirmed() {
        setSubmitted(false)
        void queryClient.invalidateQueries({ queryKey: queryKeys.balances(network) })
      },
      onInvalid(error) {
        setRefusals(assignDetails(error))
        focusFirstFault(form)
      },
    }
    open(action)
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field
        label="Amount"
        inputMode="decimal"
        value={amount}
        onChange={event => changeAmount(event.target.value)}
        error={faults.amount}
        suffix={
          <>
            {explainUnits(amount, DECIMALS)} SOL
            {way === 'withdraw' && balance !== undefined && balance !== '0' && (
              <button type="button" onClick={() => changeAmount(formatAmount(balance, DECIMALS))}>
                All
              </button>
            )}
          </>
        }
      />
      {way === 'fund' && (
        <Field
          label="Note"
          hint="Public on the chain, permanently."
          value={memo}
          maxLength={MEMO_LENGTH_MAX}
          onChange={event => {
            setRefusals({})
            change({ memo: event.target.value })
          }}
          error={faults.memo}
        />
      )}
      <Button kind="primary" type="submit">
        {way === 'fund' ? 'Review funding' : 'Review withdrawal'}
      </Button>
      {sheet}
    </form>
  )
}

function findAmountFault(text: string, isSubmitted: boolean): string | undefined {
  if (text.trim() === '') return isSubmitted ? 'Enter an amount.' : undefined
  const isTooLarge = (parseUnits(text, DECIMALS) ?? 0n) >= LAMPORTS_END
  return isTooLarge ? 'Enter less than 9,007,199.254740992 SOL.' : findUnitsFault(text, DECIMALS)
}

/** Says so if the one who pays has less, as far as that is known. */
function findShortage(
  lamports: bigint | undefined,
  [who, most]: [who: string, most: string | undefined],
): string | undefined {
  if (lamports === undefined || most === undefined || lamports <= BigInt(most)) return undefined
  return `${who} only ${formatAmount(most, DECIMALS)} SOL.`
}

type Refusals = { amount?: string; memo?: string }

/** The API's faults, at the fields that they are about. */
function assignDetails({ details = [] }: SlipwayError): Refusals {
  const refusals: Refusals = {}
  for (const { path, message } of details)
    if (path === 'memo') refusals.memo ??= explainDetail(message)
    else
      refusals.amount ??=
        path === 'amount' ? explainDetail(message) : `The service refused ${path}: ${message}.`
  return refusals
}
