import type { PoolReserves } from '@slipway/launch-model/figures'
import { decodePoolData, sidesOf } from '@slipway/launch-model/pool-state'
import { RAYDIUM_PROGRAMS, type RaydiumEnvironment } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { type Decoded, decodeProgramAccount } from './decode-account.ts'
import { decodeTokenAccount } from './token-account.ts'

/** The fees that a Raydium constant-product pool holds, and the accounts needed to collect those of the creator. */
export interface PoolState {
  /** The network whose program owns the pool. */
  environment: RaydiumEnvironment
  /** Absent if the pool does not name it. So are the token programs. */
  ammConfig?: Address
  creatorFees: { base: bigint; quote: bigint }
  /** All fees that are still in the vaults, the creator's included. They are no part of the reserves. */
  heldFees: { base: bigint; quote: bigint }
  baseTokenProgram?: Address
  quoteTokenProgram?: Address
}

/** Decodes the pool of these two mints; a pool of other mints is `other-kind`. */
export const decodePoolState = (
  account: ChainAccount,
  mints: { baseMint: Address; quoteMint: Address },
): Decoded<PoolState> =>
  decodeProgramAccount(account, Object.values(RAYDIUM_PROGRAMS), ({ owner, data }) => {
    const pool = decodePoolData(data)
    if (typeof pool === 'string') return pool
    const sides = sidesOf(pool, mints)
    if (!sides) return 'other-kind'
    const bySide = <T>(values: readonly [T, T]) => ({ base: values[sides.base], quote: values[sides.quote] })
    const creatorFees = bySide([pool.creatorFees0, pool.creatorFees1])
    const all = [
      creatorFees,
      bySide([pool.protocolFees0, pool.protocolFees1]),
      bySide([pool.fundFees0, pool.fundFees1]),
    ]
    const programs = bySide([pool.tokenProgram0, pool.tokenProgram1])
    return {
      environment: owner === RAYDIUM_PROGRAMS.mainnet ? 'mainnet' : 'devnet',
      creatorFees,
      heldFees: {
        base: all.reduce((sum, fees) => sum + fees.base, 0n),
        quote: all.reduce((sum, fees) => sum + fees.quote, 0n),
      },
      ...(pool.ammConfig && { ammConfig: pool.ammConfig }),
      ...(programs.base && { baseTokenProgram: programs.base }),
      ...(programs.quote && { quoteTokenProgram: programs.quote }),
    }
  })

/** What a pool's vaults hold apart from fees, from its state and its two vaults, the base token's first. */
export function decodePoolReserves(
  accounts: readonly ChainAccount[],
  mints: { baseMint: Address; quoteMint: Address },
): PoolReserves | undefined {
  const [state, baseVault, quoteVault] = accounts as [ChainAccount, ChainAccount, ChainAccount]
  const pool = decodePoolState(state, mints)
  const base = decodeTokenAccount(baseVault)
  const quote = decodeTokenAccount(quoteVault)
  if (!pool.exists || !base.exists || !quote.exists) return undefined
  if (base.mint !== mints.baseMint || quote.mint !== mints.quoteMint) return undefined
  const { heldFees, creatorFees } = pool
  return {
    base: withoutFees(base.amount, heldFees.base),
    quote: withoutFees(quote.amount, heldFees.quote),
    creatorFees: creatorFees.quote,
  }
}

const withoutFees = (amount: bigint, fees: bigint) => (amount > fees ? amount - fees : 0n)
