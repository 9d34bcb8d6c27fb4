import type { Address } from '@solana/kit'
import { ProgramError, type StandIn } from '../stand-in.ts'
import { poolConfigs, RAYDIUM_DEVNET, RAYDIUM_MAINNET } from './configs.ts'
import { raydiumError } from './errors.ts'
import { swapBaseInput } from './swap-base-input.ts'

/** The first bytes of `sha256("global:swap_base_input")`. */
const SWAP_BASE_INPUT = '8fbe5adac41e33de'

/**
 * The part of Raydium's constant-product program that trades in pools. Genesis creates them and collects their fees.
 */
const standInAt = (address: Address): StandIn => ({
  address,
  accounts: poolConfigs(address),
  process(ctx) {
    if (ctx.data.length < 8) throw new ProgramError('InvalidInstructionData')
    if (Buffer.from(ctx.data.subarray(0, 8)).toString('hex') !== SWAP_BASE_INPUT) {
      ctx.log('This instruction needs the real program: npm run chain:programs')
      throw raydiumError('InstructionFallbackNotFound')
    }
    ctx.log('Instruction: SwapBaseInput')
    swapBaseInput(ctx, address)
  },
})

export const raydiumPrograms: readonly StandIn[] = [RAYDIUM_MAINNET, RAYDIUM_DEVNET].map(standInAt)
