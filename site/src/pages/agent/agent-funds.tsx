import { type Agent, formatAmount, type Network, type SlipwayError, type WalletToken } from '@slipway/client'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Action } from '../../actions/action.ts'
import { useActionSheet } from '../../actions/use-sheet.tsx'
import { Button } from '../../components/button.tsx'
import { Field, Select } from '../../components/field.tsx'
import { focusFirstFault } from '../../components/form-layout.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { agentTitle } from '../../lib/agents.ts'
import { explainDetail } from '../../lib/explain-detail.ts'
import { formatExactly, shorten } from '../../lib/format.ts'
import { explainUnits, findUnitsFault, parseUnits } from '../../lib/parse-units.ts'
import { balanceQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { refreshConfirmed } from '../../lib/refresh-confirmed.ts'
import { useSite } from '../../lib/site-context.ts'
import { useDraft } from '../../lib/use-draft.ts'
import type { Intent } from '../../transactions/intent.ts'
import { ActAs } from '../../wallet/act-as.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import styles from './agent-funds.module.css'

const DECIMALS = 9
/** From here on, JSON numbers can't represent every amount. */
const LAMPORTS_END = 2n ** 53n
const MEMO_LENGTH_MAX = 256
const EMPTY = { amount: '', memo: 'Funds', mint: '' }

/** What is moved: native currency, or a token. */
interface Asset {
  /** Empty for native currency. */
  mint: string
  symbol: string
  decimals: number
  /** What the agent has of it; undefined while that is not known. */
  held: string | undefined
}

/** Pays into the agent's wallet, or back to its owner. */
export function AgentFunds({
  agent,
  network,
  balance,
  tokens,
}: {
  agent: Agent
  network: Network
  /** In the smallest unit; undefined while it is not known. */
  balance: string | undefined
  tokens: readonly WalletToken[]
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
          The connected account is on a different network.{' '}
          <ActAs address={agent.owner}>Act as the owner</ActAs>
        </p>
      ) : way === 'withdraw' && !isOwner ? (
        <p className={styles.note}>
          Only the owner, {shorten(agent.owner)}, can withdraw. You are connected as{' '}
          {account.label ?? shorten(account.address)}. <ActAs address={agent.owner}>Act as the owner</ActAs>
        </p>
      ) : (
        <AmountForm
          key={way}
          {...{ way, agent, network }}
          sender={account.address}
          assets={[
            { mint: '', symbol: 'SOL', decimals: DECIMALS, held: balance },
            ...tokens.filter(token => canMove(token, way)).map(toAsset),
          ]}
        />
      )}
    </div>
  )
}

const canMove = ({ mint, restriction }: WalletToken, way: 'fund' | 'withdraw') =>
  (restriction === null || restriction === 'fee') && (way === 'withdraw' || mint !== WRAPPED_NATIVE_MINT)

const toAsset = ({ mint, symbol, decimals, amount, known }: WalletToken): Asset => ({
  mint,
  symbol:
    mint === WRAPPED_NATIVE_MINT ? 'wrapped SOL' : known && symbol ? symbol : `${symbol} ${shorten(mint)}`,
  decimals,
  held: amount,
})

function AmountForm({
  way,
  agent,
  network,
  sender,
  assets,
}: {
  way: 'fund' | 'withdraw'
  agent: Agent
  network: Network
  sender: string
  assets: readonly Asset[]
}) {
  const { slipway, settings } = useSite()
  const queryClient = useQueryClient()
  const { open, sheet } = useActionSheet()
  const key = `${way}:${network}:${agent.address}`
  const { draft, change } = useDraft(key, EMPTY, {}, 'sessionStorage')
  const { amount, memo } = draft
  const asset = assets.find(({ mint }) => mint === draft.mint) ?? (assets[0] as Asset)
  const { mint, decimals, held } = asset
  const isNative = mint === ''
  const [isSubmitted, setSubmitted] = useState(false)
  const [refusals, setRefusals] = useState<Refusals>({})
  const rpcUrl = settings.rpc[network]?.url
  const { data: funds } = useQuery({
    ...balanceQuery(rpcUrl ?? '', network, sender),
    enabled: way === 'fund' && rpcUrl !== undefined,
  })
  const units = parseUnits(amount, decimals)
  const amountFault =
    findAmountFault(amount, asset, isSubmitted) ??
    findShortage(
      units,
      asset,
      way === 'fund' ? ['You have', isNative ? funds : undefined] : ['The agent has', held],
    )
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
    // A refused amount may be tried again.
    if (units === undefined || amountFault || (way === 'fund' && memo.trim() === '')) return
    setRefusals({})
    const note = memo.trim()
    const name = agentTitle(agent)
    const common = { agent: agent.address, agentWallet: agent.walletAddress }
    const isAllWrapped = way === 'withdraw' && mint === WRAPPED_NATIVE_MINT && `${units}` === held
    const text = formatAmount(`${units}`, decimals)
    const isSol = isNative || mint === WRAPPED_NATIVE_MINT
    const request = {
      sender,
      amount: isAllWrapped ? 'all' : isNative ? Number(text) : text,
      ...(!isNative && { mint }),
      network,
    }
    const token = { ...common, mint, decimals }
    const intent: Intent =
      way === 'fund'
        ? isNative
          ? { kind: 'fund', ...common, lamports: units, memo: note }
          : { kind: 'fund-token', ...token, amount: units, memo: note }
        : isNative
          ? { kind: 'withdraw', ...common, lamports: units }
          : { kind: 'withdraw-token', ...token, amount: isAllWrapped ? 'all' : units }
    const action: Action = {
      key,
      draft: key,
      title: way === 'fund' ? `Fund ${name}` : `Withdraw from ${name}`,
      network,
      async build(signal) {
        const { tx, blockhash } =
          way === 'fund'
            ? await slipway.agents.fund(agent.address, { ...request, memo: note }, { signal })
            : await slipway.agents.withdraw(agent.address, request, { signal })
        return {
          transactions: [tx],
          blockhash,
          intent,
          ...(isAllWrapped && { income: [{ units, decimals, symbol: 'SOL' }] }),
        }
      },
      ...(way === 'withdraw' &&
        held !== undefined &&
        BigInt(held) > units && {
          paymentNote: `${formatExactly(BigInt(held) - units, decimals)} ${asset.symbol} stays in the agent’s wallet`,
        }),
      done:
        way === 'fund'
          ? 'The agent has the funds.'
          : isSol
            ? `You got ${text} SOL.`
            : `You got about ${text} ${asset.symbol}.`,
      // A token may take a fee for its transfer.
      ...(way === 'withdraw' &&
        !isSol && {
          result(changes) {
            const got = changes.get(mint) ?? 0n
            return got > 0n ? `You got ${formatExactly(got, decimals)} ${asset.symbol}.` : undefined
          },
        }),
      onConfirmed() {
        setSubmitted(false)
        refreshConfirmed(queryClient, [
          queryKeys.balances(network),
          queryKeys.agentWallet(network, agent.address),
        ])
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
      {assets.length > 1 && (
        <Select
          label="Token"
          value={mint}
          onChange={event => {
            setRefusals({})
            change({ mint: event.target.value, amount: '' })
          }}
        >
          {assets.map(each => (
            <option key={each.mint} value={each.mint}>
              {each.symbol}
            </option>
          ))}
        </Select>
      )}
      <Field
        label="Amount"
        inputMode="decimal"
        value={amount}
        onChange={event => changeAmount(event.target.value)}
        error={faults.amount}
        suffix={
          <>
            {explainUnits(amount, decimals)} <bdi>{asset.symbol}</bdi>
            {way === 'withdraw' && held !== undefined && held !== '0' && (
              <button type="button" onClick={() => changeAmount(formatAmount(held, decimals))}>
                All
              </button>
            )}
          </>
        }
      />
      {way === 'fund' && (
        <Field
          label="Note"
          hint="The note is public on the chain, permanently."
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

function findAmountFault(text: string, { mint, decimals }: Asset, isSubmitted: boolean): string | undefined {
  if (text.trim() === '') return isSubmitted ? 'Enter an amount.' : undefined
  const isTooLarge = mint === '' && (parseUnits(text, decimals) ?? 0n) >= LAMPORTS_END
  return isTooLarge ? 'Enter less than 9,007,199.254740992 SOL.' : findUnitsFault(text, decimals)
}

/** Warns if the payer is known to have less. */
function findShortage(
  units: bigint | undefined,
  { symbol, decimals }: Asset,
  [who, most]: [who: string, most: string | undefined],
): string | undefined {
  if (units === undefined || most === undefined || units <= BigInt(most)) return undefined
  return `${who} only ${formatExactly(most, decimals)} ${symbol}.`
}

type Refusals = { amount?: string; memo?: string }

/** The API's faults, at the fields that they are about. */
function assignDetails({ details = [] }: SlipwayError): Refusals {
  const refusals: Refusals = {}
  for (const { path: where, message } of details) {
    const path = `${where}`
    if (path === 'memo') refusals.memo ??= explainDetail(message)
    else
      refusals.amount ??=
        path === 'amount' ? explainDetail(message) : `The service refused ${path}: ${message}.`
  }
  return refusals
}
