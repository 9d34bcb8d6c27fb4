import type { Agent, Network, SlipwayError } from '@slipway/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Action } from '../../actions/action.ts'
import { AmountField } from '../../components/amount-field.tsx'
import { Button } from '../../components/button.tsx'
import { Field, focusFirstFault, Select } from '../../components/fields.tsx'
import { Amount } from '../../components/figures.tsx'
import { refreshConfirmed } from '../../lib/confirmed.ts'
import { explainDetail } from '../../lib/explain-detail.ts'
import { formatExactly, formatSaid } from '../../lib/format.ts'
import { findUnitsFault, parseUnits } from '../../lib/parse-units.ts'
import { balanceQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { useDraft } from '../../lib/use-draft.ts'
import styles from './agent.module.css'
import { type Asset, createMove, moveKey, type Way } from './move-funds.ts'

const MEMO_LENGTH_MAX = 256
const EMPTY = { amount: '', memo: 'Funds', mint: '' }

/** How much of what, with a note for funding. */
export function AmountForm({
  way,
  agent,
  network,
  sender,
  assets,
  open,
  onMoved,
}: {
  way: Way
  agent: Agent
  network: Network
  sender: string
  assets: readonly [Asset, ...Asset[]]
  open(action: Action): void
  onMoved(): void
}) {
  const { slipway, settings } = useSite()
  const queryClient = useQueryClient()
  const { draft, change } = useDraft(moveKey({ way, network, agent }), EMPTY, {}, 'sessionStorage')
  const { amount, memo } = draft
  const asset = assets.find(({ mint }) => mint === draft.mint) ?? assets[0]
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
  const [holder, has] = way === 'fund' ? ['You have', isNative ? funds : undefined] : ['The agent has', held]
  const amountFault = findAmountFault(amount, asset, isSubmitted) ?? findShortage(units, asset, [holder, has])
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
    open({
      ...createMove(slipway, { way, agent, network, sender, asset, units, note: memo.trim() }),
      onConfirmed() {
        setSubmitted(false)
        onMoved()
        refreshConfirmed(queryClient, [
          queryKeys.balances(network),
          queryKeys.agentWallet(network, agent.address),
        ])
      },
      onInvalid(error) {
        setRefusals(assignDetails(error))
        focusFirstFault(form)
      },
    })
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
      <AmountField
        // Each token has its own Max.
        key={mint}
        label="Amount"
        held={
          has !== undefined && (
            <>
              {holder} <Amount units={has} {...{ decimals }} symbol={asset.symbol} format={formatSaid} />
            </>
          )
        }
        {...{ amount, decimals }}
        symbol={asset.symbol}
        error={faults.amount}
        findMost={
          way === 'withdraw' && has !== undefined && has !== '0' ? async () => BigInt(has) : undefined
        }
        onChange={changeAmount}
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
    </form>
  )
}

/** From here on, JSON numbers can't represent every amount. */
const LAMPORTS_END = 2n ** 53n

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

export type Refusals = { amount?: string; memo?: string }

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
