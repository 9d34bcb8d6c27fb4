import { isOfKind } from '@slipway/launch-model/call'
import {
  triggerBehaviors,
  triggerBehaviorsCall,
  triggerConditions,
  triggerConditionsCall,
} from '@slipway/launch-model/calls/deposits'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import type { Address } from '@slipway/launch-model/programs'
import { plural, shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, assertCall } from './expect-instruction.ts'
import type { LaunchTokens, Step } from './intent.ts'
import { assertBucket, withPrograms } from './launch-parts.ts'

export const isTrigger = (instruction: Instruction | undefined): boolean =>
  instruction !== undefined &&
  (isOfKind(triggerConditions, instruction) || isOfKind(triggerBehaviors, instruction))

/** Triggers that anyone may send. They move no funds of the wallet. */
export const reviewTrigger = (
  instruction: Instruction,
  launch: LaunchTokens<Address>,
  wallet: Address,
): Step =>
  isOfKind(triggerConditions, instruction)
    ? reviewConditions(instruction, launch, wallet)
    : reviewBehaviors(instruction, launch, wallet)

function reviewConditions(instruction: Instruction, launch: LaunchTokens<Address>, wallet: Address): Step {
  const bucket = assertBucket(accountAt(instruction, 1), launch)
  const references = instruction.accounts.slice(4)
  for (const reference of references) assertBucket(reference, launch)
  // The programs of its tokens are not part of it.
  const unused = { mint: launch.baseMint, program: launch.baseMint }
  const tokens = { base: unused, quote: unused }
  assertCall(
    instruction,
    triggerConditionsCall({ genesis: launch.genesis, tokens, bucket }, references, wallet),
  )
  return {
    isMinor: true,
    text: `Note in the ${wordsOf(bucket.kind).noun} ${shorten(bucket.address)} that its conditions are met`,
    detail: `Bucket ${bucket.address} of the launch ${launch.genesis}, with ${references.join(', ') || 'no others'}`,
  }
}

const FIRST_DESTINATION = 12

function reviewBehaviors(instruction: Instruction, launch: LaunchTokens<Address>, wallet: Address): Step {
  const at = (index: number) => accountAt(instruction, index)
  const bucket = assertBucket(at(2), launch)
  const tokens = withPrograms(launch, at(8), at(9))
  const destinations = []
  for (let index = FIRST_DESTINATION; index < instruction.accounts.length; index += 2)
    destinations.push(assertBucket(at(index), launch))
  assertCall(
    instruction,
    triggerBehaviorsCall({ genesis: launch.genesis, tokens, bucket }, destinations, wallet),
  )
  return {
    isMinor: true,
    text: `Pay what the ${wordsOf(bucket.kind).noun} raised ${describeDestinations(destinations)}`,
    detail: `From ${bucket.address} of the launch ${launch.genesis} to ${destinations.map(({ address }) => address).join(', ')}`,
  }
}

function describeDestinations(destinations: readonly { kind: string }[]): string {
  const others = destinations.filter(({ kind }) => kind !== 'raydiumCpmmV2')
  if (others.length === 0) return 'into the new pool'
  const parts = plural(others.length, 'other part')
  return others.length < destinations.length
    ? `into the new pool and ${parts} of the launch`
    : `into ${parts} of the launch`
}
