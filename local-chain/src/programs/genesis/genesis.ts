import {
  claimBondingCurveCreatorFeeV2InstructionDiscriminator,
  claimRaydiumCreatorFeeV2InstructionDiscriminator,
  collectRaydiumCpmmFeesWithCreatorFeeV2InstructionDiscriminator,
} from '@metaplex-foundation/genesis'
import type { StandIn } from '../stand-in.ts'
import { GENESIS } from './checks.ts'
import { claimBondingCurveCreatorFee } from './claim-bonding-curve-creator-fee.ts'
import { claimRaydiumCreatorFee } from './claim-raydium-creator-fee.ts'
import { collectRaydiumFees } from './collect-raydium-fees.ts'
import { genesisError } from './errors.ts'

/** The part of Genesis that pays creators. The demo writes launches, deposits and swaps directly. */
export const genesis: StandIn = {
  address: GENESIS,
  process(ctx) {
    switch (ctx.data[0]) {
      case claimBondingCurveCreatorFeeV2InstructionDiscriminator:
        ctx.log('Instruction: ClaimBondingCurveCreatorFeeV2')
        claimBondingCurveCreatorFee(ctx)
        return
      case collectRaydiumCpmmFeesWithCreatorFeeV2InstructionDiscriminator:
        ctx.log('Instruction: CollectRaydiumCpmmFeesWithCreatorFeeV2')
        collectRaydiumFees(ctx)
        return
      case claimRaydiumCreatorFeeV2InstructionDiscriminator:
        ctx.log('Instruction: ClaimRaydiumCreatorFeeV2')
        claimRaydiumCreatorFee(ctx)
        return
      default:
        ctx.log('This instruction needs the real program: npm run chain:programs')
        throw genesisError('InstructionNotImplemented')
    }
  },
}
