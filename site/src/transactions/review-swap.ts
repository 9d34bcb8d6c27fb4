import { bucketAddress, poolStateAddress } from '@slipway/launch-model/addresses'
import { decodeCall, isOfKind } from '@slipway/launch-model/call'
import { SWAPS_IN_POOL, swapOnCurve, type TradedTokens } from '@slipway/launch-model/calls/trades'
import { type Address, type RaydiumEnvironment, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { planSwap, type Swap } from '@slipway/launch-model/trade/plan-swap'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, refuseInstruction } from './expect-instruction.ts'
import type { SwapIntent as Asked, Step } from './intent.ts'
import {
  assertBucket,
  assertSteps,
  describeFunds,
  formatBase,
  formatQuote,
  fundsAround,
  sayBase,
  sayQuote,
  tokensIn,
  withPrograms,
} from './launch-parts.ts'
import { nameBase } from './name-base.ts'
import { refuse } from './unexpected.ts'

type SwapIntent = Asked<Address>

/** One trade on the launch's curve or in its pool, with native currency wrapped before it and unwrapped after it. */
export function reviewSwap(
  instructions: readonly Instruction[],
  intent: SwapIntent,
  wallet: Address,
): Step[] {
  const environments = Object.keys(SWAPS_IN_POOL) as RaydiumEnvironment[]
  const environmentOf = (one: Instruction) => environments.find(name => isOfKind(SWAPS_IN_POOL[name], one))
  const main = instructions.findIndex(one => isOfKind(swapOnCurve, one) || environmentOf(one))
  const instruction = instructions[main] ?? refuse('The transaction has no trade.')
  const environment = environmentOf(instruction)
  const { at, tokens, amounts, detail } = environment
    ? readPoolTrade(instruction, intent, environment)
    : readCurveTrade(instruction, intent)
  assertAmounts(amounts, intent)
  const swap: Swap = {
    ...fundsAround(instructions, main, { tokens, wallet }),
    ...amounts,
    genesis: intent.genesis,
    side: intent.side,
    at,
  }
  assertSteps(instructions, planSwap(swap))
  const isNative = tokens.quote.mint === WRAPPED_NATIVE_MINT
  const isBuy = intent.side === 'buy'
  const [paid, received] = isBuy
    ? [formatQuote(amounts.amountIn, intent), formatBase(amounts.amountOutMin, intent)]
    : [formatBase(amounts.amountIn, intent), formatQuote(amounts.amountOutMin, intent)]
  return [
    {
      text: `${isBuy ? 'Pay' : 'Sell'} ${paid} for at least ${received}`,
      detail,
      isMinor: true,
      payment: [
        { label: isBuy ? 'You pay' : 'You sell', amount: paid },
        {
          label: 'You get at least',
          amount: (isBuy ? sayBase : sayQuote)(amounts.amountOutMin, intent),
          isLeast: true,
        },
      ],
      ...(isBuy && isNative && { movedLamports: amounts.amountIn }),
    },
    ...describeFunds(swap, { isUnwrapped: !isBuy, name: intent.baseSymbol && nameBase(intent) }),
  ]
}

interface ReadTrade {
  at: Swap['at']
  tokens: TradedTokens
  amounts: { amountIn: bigint; amountOutMin: bigint }
  detail: string
}

function readCurveTrade(instruction: Instruction, intent: SwapIntent): ReadTrade {
  const { address: curve } = assertBucket(accountAt(instruction, 1), intent, ['bondingCurveV2'])
  const { amountIn, amountOutMin } = decode(swapOnCurve, instruction)
  return {
    at: { curve },
    tokens: tokensIn(instruction, intent),
    amounts: { amountIn, amountOutMin },
    detail: `On the bonding curve ${curve} of the launch ${intent.genesis}, token ${intent.baseMint}`,
  }
}

function readPoolTrade(
  instruction: Instruction,
  intent: SwapIntent,
  environment: RaydiumEnvironment,
): ReadTrade {
  const at = (index: number) => accountAt(instruction, index)
  const isBuy = intent.side === 'buy'
  const [paidVault, receivedVault, paidProgram, receivedProgram] = [at(6), at(7), at(8), at(9)]
  const [baseVault, quoteVault] = isBuy ? [receivedVault, paidVault] : [paidVault, receivedVault]
  const [baseProgram, quoteProgram] = isBuy ? [receivedProgram, paidProgram] : [paidProgram, receivedProgram]
  const [config, address, observation] = [at(2), at(3), at(12)]
  assertPool(address, intent)
  return {
    at: {
      pool: {
        ...{ address, environment, config, observation },
        ...{ mint0: intent.baseMint, vault0: baseVault, vault1: quoteVault },
      },
    },
    tokens: withPrograms(intent, baseProgram, quoteProgram),
    amounts: decode(SWAPS_IN_POOL[environment], instruction),
    detail: `In the pool ${address} of the launch ${intent.genesis}, token ${intent.baseMint}, vaults ${baseVault} and ${quoteVault}, configuration ${config}, price history ${observation}`,
  }
}

const POOLS_SEARCHED = 16

function assertPool(address: Address, { genesis }: SwapIntent): void {
  for (let index = 0; index < POOLS_SEARCHED; index++)
    if (poolStateAddress(bucketAddress('raydiumCpmmV2', genesis, index)) === address) return
  refuse(`The transaction trades in ${shorten(address)}, which isn’t this launch’s pool.`)
}

function decode<Args>(kind: Parameters<typeof decodeCall<Args>>[0], { data }: Instruction): Args {
  try {
    return decodeCall(kind, data)
  } catch {
    return refuseInstruction()
  }
}

/** A curve that is almost sold out takes less. Paying less for the same amount does no harm. */
function assertAmounts({ amountIn, amountOutMin }: ReadTrade['amounts'], intent: SwapIntent): void {
  const [paid, received] =
    intent.side === 'buy' ? ([formatQuote, formatBase] as const) : ([formatBase, formatQuote] as const)
  if (amountIn > intent.amountIn)
    refuse(`The transaction pays ${paid(amountIn, intent)}. You asked for ${paid(intent.amountIn, intent)}.`)
  if (amountOutMin < intent.minAmountOut)
    refuse(
      `The transaction may give as little as ${received(amountOutMin, intent)}. This page showed at least ${received(intent.minAmountOut, intent)}.`,
    )
}
