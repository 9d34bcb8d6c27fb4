import { isOfKind } from '@slipway/launch-model/call'
import { graduateCall, graduateToPool } from '@slipway/launch-model/calls/graduate'
import {
  type Address,
  RAYDIUM_CREATOR_FEE_CONFIGS,
  RAYDIUM_PROGRAMS,
  type RaydiumEnvironment,
} from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, assertCall, refuseInstruction } from './expect-instruction.ts'
import type { Intent, Step } from './intent.ts'
import { assertBucket, withPrograms } from './launch-parts.ts'
import { isTrigger, reviewTrigger } from './review-triggers.ts'
import { refuse } from './unexpected.ts'

type GraduateIntent = Extract<Intent<Address>, { kind: 'graduate' }>

/** The creation of a launch's pool, and the triggers before it. */
export function reviewGraduate(
  instructions: readonly Instruction[],
  intent: GraduateIntent,
  wallet: Address,
): Step[] {
  if (instructions.length === 0) refuse('The transaction does nothing.')
  return instructions.map((instruction, index) => {
    if (isTrigger(instruction)) return reviewTrigger(instruction, intent, wallet)
    if (index < instructions.length - 1) refuse('The transaction does more than create the pool.')
    return reviewPool(instruction, intent, wallet)
  })
}

function reviewPool(instruction: Instruction, intent: GraduateIntent, wallet: Address): Step {
  if (!isOfKind(graduateToPool, instruction)) refuseInstruction()
  const at = (index: number) => accountAt(instruction, index)
  const raydium = at(23)
  const environment =
    (Object.keys(RAYDIUM_PROGRAMS) as RaydiumEnvironment[]).find(
      name => RAYDIUM_PROGRAMS[name] === raydium,
    ) ?? refuse(`The transaction calls ${raydium}, which isn’t Raydium.`)
  const { address: bucket } = assertBucket(at(1), intent, ['raydiumCpmmV2'])
  const paysCreator = at(13) === RAYDIUM_CREATOR_FEE_CONFIGS[environment]
  const tokens = withPrograms(intent, at(24), at(25))
  assertCall(
    instruction,
    graduateCall({ genesis: intent.genesis, bucket, tokens, environment, paysCreator, payer: wallet }),
  )
  return {
    text: `Create the launch’s liquidity pool with its tokens and proceeds, and pay Raydium’s fee and the rent for it`,
    detail: `Pool ${at(12)} from ${shorten(bucket)} of the launch ${intent.genesis}, token ${intent.baseMint}, configuration ${at(13)}${paysCreator ? ', which pays the creator fees' : ''}`,
  }
}
