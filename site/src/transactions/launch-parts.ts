import { bucketAddress } from '@slipway/launch-model/addresses'
import { isOfKind } from '@slipway/launch-model/call'
import { closeTokenAccount, openTokenAccount, transfer } from '@slipway/launch-model/calls/tokens'
import { type TradedTokens, tokensOf } from '@slipway/launch-model/calls/trades'
import { BUCKET_KINDS, type BucketKindName } from '@slipway/launch-model/kinds/kinds'
import { type Address, COMPUTE_BUDGET_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Funds, Step as PlannedStep } from '@slipway/launch-model/trade/wrap-native'
import { formatExactly, formatSaid, quoteSymbol } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, assertCall, assertCount } from './expect-instruction.ts'
import type { LaunchTokens, Step } from './intent.ts'
import { nameBase } from './name-base.ts'
import { assertTokenProgram, nameTokenAccount } from './token-account.ts'
import { decodeTransfer, formatSol } from './transfer.ts'
import { refuse } from './unexpected.ts'

type Launch = LaunchTokens<Address>

/**
 * Refuses a transaction that is not exactly these instructions, in this order. What it costs to run is checked
 * elsewhere.
 */
export function assertSteps(instructions: readonly Instruction[], planned: readonly PlannedStep[]): void {
  const calls = planned.map(({ call }) => call).filter(({ kind }) => kind.program !== COMPUTE_BUDGET_PROGRAM)
  for (const [index, call] of calls.entries()) {
    const instruction = instructions[index]
    if (instruction) assertCall(instruction, call)
  }
  assertCount(instructions, calls.length)
}

/**
 * The launch's tokens. Their token programs come from the transaction, because an address is valid for only one
 * program.
 */
export function tokensIn(instruction: Instruction, { baseMint, quoteMint }: Launch): TradedTokens {
  const { length } = instruction.accounts
  const [base, quote] = [accountAt(instruction, length - 4), accountAt(instruction, length - 3)]
  return withPrograms({ baseMint, quoteMint }, base, quote)
}

export function withPrograms(
  { baseMint, quoteMint }: Pick<Launch, 'baseMint' | 'quoteMint'>,
  base: Address,
  quote: Address,
): TradedTokens {
  assertTokenProgram(base)
  assertTokenProgram(quote)
  return { base: { mint: baseMint, program: base }, quote: { mint: quoteMint, program: quote } }
}

/** The connected wallet's accounts, as the instructions around the one at `main` assume them. */
export function fundsAround(
  instructions: readonly Instruction[],
  main: number,
  { tokens, wallet }: { tokens: TradedTokens; wallet: Address },
): Funds {
  const before = instructions.slice(0, main)
  const [close, refill] = instructions.slice(main + 1)
  const opens = (mint: Address) =>
    before.some(
      one => isOfKind(openTokenAccount, one) && one.accounts[2] === wallet && one.accounts[3] === mint,
    )
  const isClosed = close !== undefined && isOfKind(closeTokenAccount, close)
  const isRefilled = isClosed && refill !== undefined && isOfKind(transfer, refill)
  return {
    tokens,
    trader: wallet,
    payer: wallet,
    isAgent: false,
    holds: {
      hasBase: !opens(tokens.base.mint),
      quote: opens(tokens.quote.mint)
        ? undefined
        : { amount: isRefilled ? decodeTransfer(refill) : 0n, isDelegated: !isClosed },
    },
    // A part of the account's refill.
    accountRent: 0n,
    priorityFee: 0n,
  }
}

/** What the instructions around a trade or a deposit do. */
export function describeFunds(
  { tokens, trader, holds }: Funds,
  {
    isUnwrapped,
    arrives = isUnwrapped,
    name,
  }: {
    isUnwrapped: boolean
    /** What to call the launch's token. */
    name?: string | undefined
    /** Whether the wallet receives any of the payment token. */
    arrives?: boolean
  },
): Step[] {
  const opened = ({ mint, program }: TradedTokens['base']): Step => ({
    ...nameTokenAccount({
      payer: trader,
      owner: trader,
      account: tokensOf({ mint, program }, trader),
      mint,
      tokenProgram: program,
      ...(name && { names: new Map([[tokens.base.mint, name]]) }),
    }),
    isMinor: true,
  })
  const isNative = tokens.quote.mint === WRAPPED_NATIVE_MINT
  const account = tokensOf(tokens.quote, trader)
  const steps: Step[] = []
  if (!holds.hasBase) steps.push(opened(tokens.base))
  if (!holds.quote)
    steps.push(
      isNative
        ? {
            text: 'Open a temporary wrapped SOL account and close it afterwards',
            detail: `Account ${account}`,
            isMinor: true,
          }
        : opened(tokens.quote),
    )
  if (isNative && isUnwrapped && holds.quote && !holds.quote.isDelegated)
    steps.push({
      text: `Turn the wrapped SOL that arrives into SOL. The wrapped SOL account keeps ${formatSol(holds.quote.amount)}, rent included`,
      detail: `Account ${account}`,
      refill: { account, lamports: holds.quote.amount },
      isMinor: true,
    })
  if (isNative && arrives && holds.quote?.isDelegated)
    steps.push({
      text: 'What arrives stays wrapped in your account for wrapped SOL, from which another key may be able to spend',
      detail: `Account ${account}`,
      done: 'Confirmed. What arrived is in your account for wrapped SOL, from which another key may be able to spend.',
    })
  return steps
}

const BUCKETS_SEARCHED = 16

/** Refuses an address that is not one of the launch's buckets. */
export function assertBucket(
  address: Address,
  { genesis }: Pick<Launch, 'genesis'>,
  kinds: readonly BucketKindName[] = BUCKET_KINDS.map(({ name }) => name),
): { kind: BucketKindName; address: Address } {
  for (let index = 0; index < BUCKETS_SEARCHED; index++)
    for (const kind of kinds) if (bucketAddress(kind, genesis, index) === address) return { kind, address }
  return refuse(`The transaction names ${address}, which isn’t a part of this launch.`)
}

/** An exact amount of the payment token. */
export const formatQuote = (units: bigint, { quoteMint, quoteDecimals }: Launch): string =>
  `${formatExactly(units, quoteDecimals)} ${quoteSymbol(quoteMint)}`

/** An exact amount of the launch's token. */
export const formatBase = (units: bigint, launch: Launch): string =>
  `${formatExactly(units, launch.baseDecimals)} ${launch.baseSymbol ? '' : 'of '}${nameBase(launch)}`

/** The same as people say it: never more than it is. */
export const sayQuote = (units: bigint, { quoteMint, quoteDecimals }: Launch): string =>
  `${formatSaid(units, quoteDecimals)} ${quoteSymbol(quoteMint)}`

export const sayBase = (units: bigint, launch: Launch): string =>
  `${formatSaid(units, launch.baseDecimals)} ${launch.baseSymbol ? '' : 'of '}${nameBase(launch)}`
