import {
  getAddBondingCurveBucketV2ExtensionsInstructionDataSerializer,
  getAddConstantProductBondingCurveBucketV2BaseInstructionDataSerializer,
  getAddConstantProductBondingCurveBucketV2InstructionDataSerializer,
  getAddLaunchPoolBucketV2BaseInstructionDataSerializer,
  getAddLaunchPoolBucketV2ExtensionsInstructionDataSerializer,
  getAddRaydiumCpmmBucketV2BaseInstructionDataSerializer,
  getAddRaydiumCpmmBucketV2ExtensionsInstructionDataSerializer,
  getAddRaydiumCpmmBucketV2InstructionDataSerializer,
  getAddUnlockedBucketV2BaseInstructionDataSerializer,
  getAddUnlockedBucketV2InstructionDataSerializer,
  getClaimBondingCurveCreatorFeeV2InstructionDataSerializer,
  getClaimRaydiumCreatorFeeV2InstructionDataSerializer,
  getCollectRaydiumCpmmFeesWithCreatorFeeV2InstructionDataSerializer,
  getFinalizeV2InstructionDataSerializer,
  getInitializeV2InstructionDataSerializer,
  getSetBondingCurveBucketV2BehaviorsInstructionDataSerializer,
  getSetLaunchPoolBucketV2BehaviorsInstructionDataSerializer,
} from '@metaplex-foundation/genesis'
import type { Invocation, StandIn } from '../stand-in.ts'
import { bondingCurve, launchPool } from './buckets.ts'
import { GENESIS } from './checks.ts'
import { claimBondingCurveCreatorFee } from './claim-bonding-curve-creator-fee.ts'
import { claimRaydiumCreatorFee } from './claim-raydium-creator-fee.ts'
import { collectRaydiumFees } from './collect-raydium-fees.ts'
import { genesisError } from './errors.ts'
import { addBondingCurve, addBondingCurveExtensions, addWholeBondingCurve } from './launch/bonding-curve.ts'
import { setBehaviors } from './launch/extend-bucket.ts'
import { finalize } from './launch/finalize.ts'
import { initialize } from './launch/initialize.ts'
import { addLaunchPool, addLaunchPoolExtensions } from './launch/launch-pool.ts'
import { addRaydium, addRaydiumExtensions, addWholeRaydium } from './launch/raydium.ts'
import { addUnlocked } from './launch/unlocked.ts'

type ArgumentSerializer<T> = { deserialize(data: Uint8Array): [T, number] }
type Handler = { readonly name: string; run(ctx: Invocation): void }

const instruction = <T>(
  name: string,
  serializer: ArgumentSerializer<T>,
  handle: (ctx: Invocation, args: T) => void,
): Handler => ({
  name,
  run: ctx => handle(ctx, decodeArguments(serializer, ctx.data)),
})

/** Everything that creates launches and pays creators. */
const INSTRUCTIONS: Record<number, Handler> = {
  42: instruction('InitializeV2', getInitializeV2InstructionDataSerializer(), initialize),
  46: instruction('FinalizeV2', getFinalizeV2InstructionDataSerializer(), finalize),
  53: instruction('AddUnlockedBucketV2', getAddUnlockedBucketV2InstructionDataSerializer(), addUnlocked),
  55: instruction(
    'AddRaydiumCpmmBucketV2',
    getAddRaydiumCpmmBucketV2InstructionDataSerializer(),
    addWholeRaydium,
  ),
  64: instruction(
    'AddConstantProductBondingCurveBucketV2',
    getAddConstantProductBondingCurveBucketV2InstructionDataSerializer(),
    addWholeBondingCurve,
  ),
  72: instruction(
    'AddLaunchPoolBucketV2Base',
    getAddLaunchPoolBucketV2BaseInstructionDataSerializer(),
    addLaunchPool,
  ),
  73: instruction(
    'AddLaunchPoolBucketV2Extensions',
    getAddLaunchPoolBucketV2ExtensionsInstructionDataSerializer(),
    addLaunchPoolExtensions,
  ),
  75: instruction(
    'SetLaunchPoolBucketV2Behaviors',
    getSetLaunchPoolBucketV2BehaviorsInstructionDataSerializer(),
    (ctx, args) => setBehaviors(ctx, launchPool, args.endBehaviors),
  ),
  87: instruction(
    'AddConstantProductBondingCurveBucketV2Base',
    getAddConstantProductBondingCurveBucketV2BaseInstructionDataSerializer(),
    addBondingCurve,
  ),
  88: instruction(
    'AddBondingCurveBucketV2Extensions',
    getAddBondingCurveBucketV2ExtensionsInstructionDataSerializer(),
    addBondingCurveExtensions,
  ),
  90: instruction(
    'SetBondingCurveBucketV2Behaviors',
    getSetBondingCurveBucketV2BehaviorsInstructionDataSerializer(),
    (ctx, args) => setBehaviors(ctx, bondingCurve, args.endBehaviors),
  ),
  92: instruction(
    'AddRaydiumCpmmBucketV2Base',
    getAddRaydiumCpmmBucketV2BaseInstructionDataSerializer(),
    addRaydium,
  ),
  93: instruction(
    'AddRaydiumCpmmBucketV2Extensions',
    getAddRaydiumCpmmBucketV2ExtensionsInstructionDataSerializer(),
    addRaydiumExtensions,
  ),
  97: instruction(
    'AddUnlockedBucketV2Base',
    getAddUnlockedBucketV2BaseInstructionDataSerializer(),
    addUnlocked,
  ),
  104: instruction(
    'CollectRaydiumCpmmFeesWithCreatorFeeV2',
    getCollectRaydiumCpmmFeesWithCreatorFeeV2InstructionDataSerializer(),
    collectRaydiumFees,
  ),
  105: instruction(
    'ClaimBondingCurveCreatorFeeV2',
    getClaimBondingCurveCreatorFeeV2InstructionDataSerializer(),
    claimBondingCurveCreatorFee,
  ),
  106: instruction(
    'ClaimRaydiumCreatorFeeV2',
    getClaimRaydiumCreatorFeeV2InstructionDataSerializer(),
    claimRaydiumCreatorFee,
  ),
}

/** The part of Genesis that creates launches, trades in them and pays creators. */
export const genesis: StandIn = {
  address: GENESIS,
  process(ctx) {
    const found = INSTRUCTIONS[ctx.data[0] ?? -1]
    if (!found) {
      ctx.log('This instruction needs the real program: npm run chain:programs')
      throw genesisError('InstructionNotImplemented')
    }
    ctx.log(`Instruction: ${found.name}`)
    found.run(ctx)
  },
}

function decodeArguments<T>(serializer: ArgumentSerializer<T>, data: Uint8Array): T {
  try {
    const [value, end] = serializer.deserialize(data)
    if (end === data.length) return value
  } catch {
    // Reported below.
  }
  throw genesisError('DeserializationInstructionError')
}
