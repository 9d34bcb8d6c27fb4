import type { BuiltDeposit, BuiltWithdrawal, Slipway } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Action } from '../../../actions/action.ts'
import { titleOf } from '../../../lib/launches.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useSite } from '../../../lib/site-context.ts'
import { findOutlook } from '../../../transactions/check-figures.ts'
import { readFacts } from '../../../transactions/facts.ts'
import type { Intent, Outlook } from '../../../transactions/intent.ts'
import { mostOf } from './amounts.ts'
import { say, type TakePartContext, type Token } from './context.ts'
import { describeKept } from './fees.ts'

export type DepositAction = 'deposit' | 'withdraw'
/** What a deposit or a withdrawal would do, as the service says it. */
export type Preview = Partial<BuiltDeposit & BuiltWithdrawal> & {
  /** What a deposit is for, from the chain. Undefined if the chain can't be read. */
  outlook?: Outlook | undefined
}

/** The question of what an amount would do. The service says it by building the transaction. Nothing is signed. */
export function usePreviews(context: TakePartContext, action: DepositAction) {
  const { slipway, settings } = useSite()
  const { network, account, address } = context
  const rpcUrl = settings.rpc[network]?.url
  return (amount = 0n) => {
    const request = { wallet: account?.address ?? '', amount: `${amount}`, network }
    return {
      queryKey: queryKeys.preview(network, address, { action, ...request }),
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Preview> => {
        const built = await slipway.launches[action](address, request, { signal })
        if (action === 'withdraw' || !rpcUrl) return built
        // What a deposit is for comes from the chain, as in the sheet.
        const intent = intentOf(context, action, amount, built)
        const outlook = await readFacts({ rpcUrl, network, signal }, intent, request.wallet).then(
          facts => findOutlook(facts, intent),
          () => undefined,
        )
        return { ...built, outlook }
      },
      staleTime: 10_000,
      refetchInterval: 30_000,
    }
  }
}

/** The accounts of a deposit have less rent than this, in lamports. */
const RENT_END = 10_000_000n

/** A deposit or a withdrawal as the form has shown it. */
export function createDepositAction(
  slipway: Slipway,
  context: TakePartContext,
  {
    action,
    wallet,
    units,
    shown,
    hasPenalty,
  }: {
    action: DepositAction
    wallet: string
    units: bigint
    shown: Preview
    /** Whether withdrawals may cost one. */
    hasPenalty: boolean
  },
): Action {
  const { data, network, address, position, quote } = context
  const { quoteMint } = context.tokens
  const isDeposit = action === 'deposit'
  const request = { wallet, amount: `${units}`, network }
  // Until it is built, what the form has shown.
  let built = shown
  const isAll = units === BigInt(position?.deposited ?? 0)
  // Others may take a part of what is left of a presale first.
  const about = wordsOf(data.launch.mechanic).isShared ? '' : 'about '
  const isNative = quoteMint === WRAPPED_NATIVE_MINT
  const withdrew = `You withdrew ${say(units, quote)} and got`
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
      built = answer
      const got = isDeposit ? 0n : BigInt((answer as BuiltWithdrawal).receives)
      const income = { units: got, ...quote }
      return {
        transactions: [answer.tx],
        blockhash: answer.blockhash,
        intent: intentOf(context, action, units, shown),
        ...(!isDeposit && {
          income: [isNative ? income : { ...income, mint: quoteMint }],
          fee: describeKept(context, units, got, hasPenalty),
        }),
      }
    },
    note: () =>
      built.receivesAtLeast && built.receivesAtLeast !== built.receives
        ? `The service expects at least ${say(built.receivesAtLeast, quote)}, even if a penalty begins or grows first.`
        : undefined,
    done: () =>
      isDeposit
        ? `You deposited ${about}${describePaid(built, units, quote)}.`
        : `${withdrew} about ${say(built.receives ?? '0', quote)}.`,
    result(changes) {
      const got = changes.get(quoteMint) ?? 0n
      if (isDeposit)
        return built.cost?.penalty === '0' && -got >= BigInt(built.cost.paid)
          ? `You deposited ${describePaid(built, units, quote)}.`
          : undefined
      // Withdrawing everything also returns the rent of accounts, which is not a part of the deposit.
      const rent = isAll && isNative ? got - BigInt(built.receives ?? 0) : 0n
      if (rent > 0n && rent < RENT_END)
        return `${withdrew} ${say(built.receives ?? '0', quote)}, plus ${say(rent, quote)} of rent.`
      return got > 0n ? `${withdrew} ${say(got, quote)}.` : undefined
    },
  }
}

/** What the transaction must do. */
function intentOf(context: TakePartContext, action: DepositAction, units: bigint, shown: Preview): Intent {
  const launch = context.tokens
  if (action === 'withdraw') return { kind: 'withdraw-deposit', ...launch, amount: units }
  const maxCost = maxCostOf(units, shown)
  return { kind: 'deposit', ...launch, amount: units, maxCost, isPartial: shown.partial === true }
}

const maxCostOf = (units: bigint, { cost }: Preview): bigint => (cost ? mostOf(cost) : units)

/** What was paid, and what is left of it after fees. */
function describePaid({ cost }: Preview, units: bigint, quote: Token): string {
  if (!cost || cost.credited === `${units}`) return say(cost?.paid ?? units, quote)
  const charges = cost.penalty === '0' ? 'the fee' : 'fee and penalty'
  return `${say(cost.paid, quote)}, ${say(cost.credited, quote)} after ${charges}`
}
