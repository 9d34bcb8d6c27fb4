import { type Agent, formatAmount, type Network } from '@slipway/client'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Action } from '../../actions/action.ts'
import { useActionSheet } from '../../actions/use-sheet.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { shorten } from '../../lib/format.ts'
import { parseUnits } from '../../lib/parse-units.ts'
import { useSite } from '../../lib/site-context.ts'
import { ActAs } from '../../wallet/act-as.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import styles from './agent-funds.module.css'

const DECIMALS = 9
const MEMO_LENGTH_MAX = 256

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
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const { open, sheet } = useActionSheet()
  const [amount, setAmount] = useState('')
  const [memo, setMemo] = useState('Funds')
  const [isSubmitted, setSubmitted] = useState(false)
  const lamports = parseUnits(amount, DECIMALS)
  const faults = {
    amount: findAmountFault(amount, lamports, way === 'withdraw' ? balance : undefined, isSubmitted),
    memo: memo.trim() === '' ? 'Enter a note. It is part of the transaction.' : undefined,
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (lamports === undefined || faults.amount || (way === 'fund' && faults.memo)) return
    const value = Number(formatAmount(`${lamports}`, DECIMALS))
    const note = memo.trim()
    const name = agentTitle(agent)
    const common = { agent: agent.address, agentWallet: agent.walletAddress, lamports }
    const action: Action = {
      key: `${way}:${network}:${agent.address}`,
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
        setAmount('')
        setSubmitted(false)
        void queryClient.invalidateQueries({ queryKey: ['balance', network] })
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
        onChange={event => setAmount(event.target.value)}
        error={faults.amount}
        suffix={
          <>
            SOL
            {way === 'withdraw' && balance !== undefined && balance !== '0' && (
              <button type="button" onClick={() => setAmount(formatAmount(balance, DECIMALS))}>
                All
              </button>
            )}
          </>
        }
      />
      {way === 'fund' && (
        <Field
          label="Note"
          hint="Public on the chain, for ever."
          value={memo}
          maxLength={MEMO_LENGTH_MAX}
          onChange={event => setMemo(event.target.value)}
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

function findAmountFault(
  text: string,
  lamports: bigint | undefined,
  most: string | undefined,
  isSubmitted: boolean,
): string | undefined {
  if (text.trim() === '') return isSubmitted ? 'Enter an amount.' : undefined
  if (lamports === undefined) return 'Enter a number above 0 with at most nine decimals, such as 0.25.'
  if (most !== undefined && lamports > BigInt(most))
    return `The agent has only ${formatAmount(most, DECIMALS)} SOL.`
  return undefined
}
