import * as official from '@metaplex-foundation/genesis'
import { NumberOutOfRangeError } from '@metaplex-foundation/umi/serializers'
import { type Invocation, ProgramError, type StandIn } from '../stand-in.ts'
import { bondingCurve, launchPool, presale } from './buckets.ts'
import { GENESIS, genesisError } from './checks.ts'
import { claimBondingCurveCreatorFee, claimRaydiumCreatorFee, collectRaydiumFees } from './creator-fees.ts'
import { setBehaviors } from './launch/add-bucket.ts'
import { addBondingCurve, addBondingCurveExtensions, addWholeBondingCurve } from './launch/bonding-curve.ts'
import { finalize, initialize } from './launch/initialize.ts'
import { addRaydium, addRaydiumExtensions, addUnlocked, addWholeRaydium } from './launch/raydium.ts'
import { addLaunchPool, addLaunchPoolExtensions, addPresale, addPresaleExtensions } from './launch/sales.ts'
import { depositInLaunchPool, depositInPresale } from './trade/deposits.ts'
import { graduate } from './trade/graduate.ts'
import {
  claimFromLaunchPool,
  claimFromPresale,
  claimUnlocked,
  refundFromLaunchPool,
  withdrawFromLaunchPool,
} from './trade/payouts.ts'
import { emitEvent, swapOnCurve } from './trade/swap.ts'
import { triggerBehaviors, triggerConditions } from './trade/triggers.ts'

type Serializers = typeof official
/** The names that the official client has for the program's instructions. */
type Name = keyof {
  [K in keyof Serializers as K extends `get${infer N}InstructionDataSerializer` ? N : never]: true
}
type ArgumentSerializer<T> = { deserialize(data: Uint8Array): [T, number] }
type ArgumentsOf<N extends Name> =
  ReturnType<Serializers[`get${N}InstructionDataSerializer`]> extends ArgumentSerializer<infer T> ? T : never

const HANDLERS: { [N in Name]?: (ctx: Invocation, args: ArgumentsOf<N>) => void } = {
  InitializeV2: initialize,
  TriggerConditionsV2: triggerConditions,
  TriggerBehaviorsV2: triggerBehaviors,
  FinalizeV2: finalize,
  DepositPresaleV2: depositInPresale,
  ClaimPresaleV2: claimFromPresale,
  AddUnlockedBucketV2: addUnlocked,
  ClaimUnlockedV2: claimUnlocked,
  AddRaydiumCpmmBucketV2: addWholeRaydium,
  GraduateToRaydiumCpmmV2: graduate,
  AddConstantProductBondingCurveBucketV2: addWholeBondingCurve,
  SwapBondingCurveV2: swapOnCurve,
  DepositLaunchPoolV2: depositInLaunchPool,
  WithdrawLaunchPoolV2: withdrawFromLaunchPool,
  ClaimLaunchPoolV2: claimFromLaunchPool,
  RefundLaunchPoolV2: refundFromLaunchPool,
  AddLaunchPoolBucketV2Base: addLaunchPool,
  AddLaunchPoolBucketV2Extensions: addLaunchPoolExtensions,
  SetLaunchPoolBucketV2Behaviors: (ctx, args) => setBehaviors(ctx, launchPool, args.endBehaviors),
  AddPresaleBucketV2Base: addPresale,
  AddPresaleBucketV2Extensions: addPresaleExtensions,
  SetPresaleBucketV2Behaviors: (ctx, args) => setBehaviors(ctx, presale, args.endBehaviors),
  AddConstantProductBondingCurveBucketV2Base: addBondingCurve,
  AddBondingCurveBucketV2Extensions: addBondingCurveExtensions,
  SetBondingCurveBucketV2Behaviors: (ctx, args) => setBehaviors(ctx, bondingCurve, args.endBehaviors),
  AddRaydiumCpmmBucketV2Base: addRaydium,
  AddRaydiumCpmmBucketV2Extensions: addRaydiumExtensions,
  AddUnlockedBucketV2Base: addUnlocked,
  CollectRaydiumCpmmFeesWithCreatorFeeV2: collectRaydiumFees,
  ClaimBondingCurveCreatorFeeV2: claimBondingCurveCreatorFee,
  ClaimRaydiumCreatorFeeV2: claimRaydiumCreatorFee,
}

type Handler = { readonly name: string; run(ctx: Invocation): void }
/** By the number that an instruction's data begins with. */
const INSTRUCTIONS = new Map<number, Handler>(
  Object.entries(HANDLERS).map(([name, handle]) => {
    const client = official as unknown as Record<string, unknown>
    const number = client[`${name.charAt(0).toLowerCase()}${name.slice(1)}InstructionDiscriminator`] as number
    const serializer = (client[`get${name}InstructionDataSerializer`] as () => ArgumentSerializer<never>)()
    return [number, { name, run: ctx => handle(ctx, decodeArguments(serializer, ctx.data)) }]
  }),
)
// An event follows the number, and its size depends on its kind.
INSTRUCTIONS.set(255, { name: 'EmitEvent', run: emitEvent })

/** The part of Genesis that creates launches, trades in them and pays creators. */
export const genesis: StandIn = {
  address: GENESIS,
  process(ctx) {
    const [discriminator] = ctx.data
    if (discriminator === undefined) throw new ProgramError('ProgramFailedToComplete', 'index out of bounds')
    const found = INSTRUCTIONS.get(discriminator)
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
  const isInitialize = data[0] === official.initializeV2InstructionDiscriminator
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
