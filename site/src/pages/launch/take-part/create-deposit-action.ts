import type { Slipway } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Action } from '../../../actions/action.ts'
import { titleOf } from '../../../lib/launches.ts'
import type { Intent } from '../../../transactions/intent.ts'
import { mostOf } from './amounts.ts'
import { describeKept } from './describe-fee.ts'
import { fitPreview, type Preview, type Way } from './fit-preview.ts'
import { addressOf, launchTokensOf, sayer, symbolsOf, type Taking } from './taking.ts'

/** The accounts of a deposit have less rent than this, in lamports. */
const RENT_END = 10_000_000n

/** A deposit or a withdrawal as the form has shown it. */
export function createDepositAction(
  slipway: Slipway,
  taking: Taking,
  {
    way,
    wallet,
    units,
    shown,
    hasPenalty,
  }: {
    way: Way
    wallet: string
    units: bigint
    shown: Preview
    /** Whether withdrawals may cost one. */
    hasPenalty: boolean
  },
): Omit<Action, 'draft' | 'onConfirmed' | 'onInvalid'> {
  const { data, network, position, tokens } = taking
  const address = addressOf(taking)
  const isDeposit = way === 'deposit'
  const request = { wallet, amount: `${units}`, network }
  const say = sayer(taking)
  // Until it is built, what the form has shown.
  let built = shown
  const isAll = units === BigInt(position?.deposited ?? 0)
  // Others may take a part of what is left of a presale first.
  const about = wordsOf(data.launch.mechanic).isShared ? '' : 'about '
  const isNative = tokens.quoteMint === WRAPPED_NATIVE_MINT
  const intent = intentOf(taking, way, units, shown)
  const withdrew = `You withdrew ${say.quote(units)} and got`
  return {
    key: `deposit:${network}:${address}`,
    title: isDeposit ? `Deposit in ${titleOf(data)}` : `Withdraw from ${titleOf(data)}`,
    network,
    async build(signal) {
      const answer = isDeposit
        ? await slipway.launches.deposit(
            address,
            { ...request, maxCost: `${maxCostOf(units, shown)}` },
            { signal },
          )
        : await slipway.launches.withdraw(address, request, { signal })
      const { tx, blockhash } = answer
      built = fitPreview(answer, way)
      const got = {
        units: BigInt(built.receives ?? 0),
        decimals: tokens.quoteDecimals,
        symbol: symbolsOf(taking).quote,
      }
      return {
        ...{ transactions: [tx], blockhash, intent },
        ...(!isDeposit && {
          income: [isNative ? got : { ...got, mint: tokens.quoteMint }],
          fee: describeKept(taking, units, got.units, hasPenalty),
        }),
      }
    },
    note: () =>
      built.receivesAtLeast && built.receivesAtLeast !== built.receives
        ? `The service expects at least ${say.quote(built.receivesAtLeast)}, even if a penalty begins or grows first.`
        : undefined,
    done: () =>
      isDeposit
        ? `You deposited ${about}${describePaid(built, units, say)}.`
        : `${withdrew} about ${say.quote(built.receives ?? '0')}.`,
    result(changes) {
      const got = changes.get(tokens.quoteMint) ?? 0n
      if (isDeposit)
        return built.cost?.penalty === '0' && -got >= BigInt(built.cost.paid)
          ? `You deposited ${describePaid(built, units, say)}.`
          : undefined
      // Withdrawing everything also returns the rent of accounts, which is not a part of the deposit.
      const rent = isAll && isNative ? got - BigInt(built.receives ?? 0) : 0n
      if (rent > 0n && rent < RENT_END)
        return `${withdrew} ${say.quote(built.receives ?? '0')}, plus ${say.quote(rent)} of rent.`
      return got > 0n ? `${withdrew} ${say.quote(got)}.` : undefined
    },
  }
}

/** What the transaction must do. */
export function intentOf(taking: Taking, way: Way, units: bigint, shown: Preview): Intent {
  const launch = launchTokensOf(taking)
  if (way === 'withdraw') return { kind: 'withdraw-deposit', ...launch, amount: units }
  const maxCost = maxCostOf(units, shown)
  return { kind: 'deposit', ...launch, amount: units, maxCost, isPartial: shown.partial === true }
}

const maxCostOf = (units: bigint, { cost }: Preview): bigint => (cost ? mostOf(cost) : units)

/** What was paid, and what is left of it after fees. */
function describePaid({ cost }: Preview, units: bigint, say: ReturnType<typeof sayer>): string {
  if (!cost || cost.credited === `${units}`) return say.quote(cost?.paid ?? units)
  const charges = cost.penalty === '0' ? 'the fee' : 'fee and penalty'
  return `${say.quote(cost.paid)}, ${say.quote(cost.credited)} after ${charges}`
}
