import {
  getAddBondingCurveBucketV2ExtensionsInstructionDataSerializer,
  getAddConstantProductBondingCurveBucketV2BaseInstructionDataSerializer,
  getAddConstantProductBondingCurveBucketV2InstructionDataSerializer,
  getAddLaunchPoolBucketV2BaseInstructionDataSerializer,
  getAddLaunchPoolBucketV2ExtensionsInstructionDataSerializer,
  getAddPresaleBucketV2BaseInstructionDataSerializer,
  getAddPresaleBucketV2ExtensionsInstructionDataSerializer,
  getAddRaydiumCpmmBucketV2BaseInstructionDataSerializer,
  getAddRaydiumCpmmBucketV2ExtensionsInstructionDataSerializer,
  getAddRaydiumCpmmBucketV2InstructionDataSerializer,
  getAddUnlockedBucketV2BaseInstructionDataSerializer,
  getAddUnlockedBucketV2InstructionDataSerializer,
  getClaimBondingCurveCreatorFeeV2InstructionDataSerializer,
  getClaimLaunchPoolV2InstructionDataSerializer,
  getClaimPresaleV2InstructionDataSerializer,
  getClaimRaydiumCreatorFeeV2InstructionDataSerializer,
  getClaimUnlockedV2InstructionDataSerializer,
  getCollectRaydiumCpmmFeesWithCreatorFeeV2InstructionDataSerializer,
  getDepositLaunchPoolV2InstructionDataSerializer,
  getDepositPresaleV2InstructionDataSerializer,
  getFinalizeV2InstructionDataSerializer,
  getGraduateToRaydiumCpmmV2InstructionDataSerializer,
  getInitializeV2InstructionDataSerializer,
  getRefundLaunchPoolV2InstructionDataSerializer,
  getSetBondingCurveBucketV2BehaviorsInstructionDataSerializer,
  getSetLaunchPoolBucketV2BehaviorsInstructionDataSerializer,
  getSetPresaleBucketV2BehaviorsInstructionDataSerializer,
  getSwapBondingCurveV2InstructionDataSerializer,
  getTriggerBehaviorsV2InstructionDataSerializer,
  getTriggerConditionsV2InstructionDataSerializer,
  getWithdrawLaunchPoolV2InstructionDataSerializer,
  initializeV2InstructionDiscriminator,
} from '@metaplex-foundation/genesis'
import { NumberOutOfRangeError } from '@metaplex-foundation/umi/serializers'
import { type Invocation, ProgramError, type StandIn } from '../stand-in.ts'
import { bondingCurve, launchPool, presale } from './buckets.ts'
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
import { addPresale, addPresaleExtensions } from './launch/presale.ts'
import { addRaydium, addRaydiumExtensions, addWholeRaydium } from './launch/raydium.ts'
import { addUnlocked } from './launch/unlocked.ts'
import { claimFromLaunchPool } from './trade/claim.ts'
import { depositInLaunchPool } from './trade/deposit.ts'
import { graduate } from './trade/graduate.ts'
import { claimFromPresale } from './trade/presale-claim.ts'
import { depositInPresale } from './trade/presale-deposit.ts'
import { refundFromLaunchPool } from './trade/refund.ts'
import { emitEvent, swapOnCurve } from './trade/swap.ts'
import { triggerBehaviors } from './trade/trigger-behaviors.ts'
import { triggerConditions } from './trade/trigger-conditions.ts'
import { claimUnlocked } from './trade/unlocked-claim.ts'
import { withdrawFromLaunchPool } from './trade/withdraw.ts'

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

const INSTRUCTIONS: Record<number, Handler> = {
  42: instruction('InitializeV2', getInitializeV2InstructionDataSerializer(), initialize),
  43: instruction(
    'TriggerConditionsV2',
    getTriggerConditionsV2InstructionDataSerializer(),
    triggerConditions,
  ),
  44: instruction('TriggerBehaviorsV2', getTriggerBehaviorsV2InstructionDataSerializer(), triggerBehaviors),
  46: instruction('FinalizeV2', getFinalizeV2InstructionDataSerializer(), finalize),
  51: instruction('DepositPresaleV2', getDepositPresaleV2InstructionDataSerializer(), depositInPresale),
  52: instruction('ClaimPresaleV2', getClaimPresaleV2InstructionDataSerializer(), claimFromPresale),
  53: instruction('AddUnlockedBucketV2', getAddUnlockedBucketV2InstructionDataSerializer(), addUnlocked),
  54: instruction('ClaimUnlockedV2', getClaimUnlockedV2InstructionDataSerializer(), claimUnlocked),
  55: instruction(
    'AddRaydiumCpmmBucketV2',
    getAddRaydiumCpmmBucketV2InstructionDataSerializer(),
    addWholeRaydium,
  ),
  56: instruction('GraduateToRaydiumCpmmV2', getGraduateToRaydiumCpmmV2InstructionDataSerializer(), graduate),
  64: instruction(
    'AddConstantProductBondingCurveBucketV2',
    getAddConstantProductBondingCurveBucketV2InstructionDataSerializer(),
    addWholeBondingCurve,
  ),
  65: instruction('SwapBondingCurveV2', getSwapBondingCurveV2InstructionDataSerializer(), swapOnCurve),
  68: instruction(
    'DepositLaunchPoolV2',
    getDepositLaunchPoolV2InstructionDataSerializer(),
    depositInLaunchPool,
  ),
  69: instruction(
    'WithdrawLaunchPoolV2',
    getWithdrawLaunchPoolV2InstructionDataSerializer(),
    withdrawFromLaunchPool,
  ),
  70: instruction('ClaimLaunchPoolV2', getClaimLaunchPoolV2InstructionDataSerializer(), claimFromLaunchPool),
  71: instruction(
    'RefundLaunchPoolV2',
    getRefundLaunchPoolV2InstructionDataSerializer(),
    refundFromLaunchPool,
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
  77: instruction('AddPresaleBucketV2Base', getAddPresaleBucketV2BaseInstructionDataSerializer(), addPresale),
  78: instruction(
    'AddPresaleBucketV2Extensions',
    getAddPresaleBucketV2ExtensionsInstructionDataSerializer(),
    addPresaleExtensions,
  ),
  80: instruction(
    'SetPresaleBucketV2Behaviors',
    getSetPresaleBucketV2BehaviorsInstructionDataSerializer(),
    (ctx, args) => setBehaviors(ctx, presale, args.endBehaviors),
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
  // An event follows the discriminator, and its size depends on its kind.
  255: { name: 'EmitEvent', run: emitEvent },
}

/** The part of Genesis that creates launches, trades in them and pays creators. */
export const genesis: StandIn = {
  address: GENESIS,
  process(ctx) {
    const [discriminator] = ctx.data
    if (discriminator === undefined) throw new ProgramError('ProgramFailedToComplete', 'index out of bounds')
    const found = INSTRUCTIONS[discriminator]
    if (!found) {
      ctx.log('This instruction needs the real program: npm run chain:programs')
      throw genesisError('InstructionNotImplemented')
    }
    ctx.log(`Instruction: ${found.name}`)
    try {
      found.run(ctx)
    } catch (error) {
      // A sum or a product that its field cannot hold.
      if (error instanceof NumberOutOfRangeError) throw genesisError('NumericalOverflow')
      throw error
    }
  },
}

/** The program tolerates bytes after the texts of `InitializeV2`, but nowhere else. */
function decodeArguments<T>(serializer: ArgumentSerializer<T>, data: Uint8Array): T {
  const isInitialize = data[0] === initializeV2InstructionDiscriminator
  try {
    const [value, end] = serializer.deserialize(data)
    if (end === data.length || isInitialize) return value
  } catch {
    // Reported below. The real program slices the texts without a bounds check.
    if (isInitialize)
      throw new ProgramError('ProgramFailedToComplete', 'range end index out of range for slice')
  }
  throw new ProgramError('InvalidInstructionData')
}
