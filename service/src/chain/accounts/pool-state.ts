import { addressAt, keyAt } from '@slipway/launch-model/bytes/base58'
import {
  RAYDIUM_PROGRAMS,
  type RaydiumEnvironment,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { type Decoded, decodeProgramAccount } from './decode-account.ts'

/** The fees that a Raydium constant-product pool holds, and the accounts needed to collect those of the creator. */
export interface PoolState {
  /** The network whose program owns the pool. */
  environment: RaydiumEnvironment
  /** Absent if the pool does not name it; the same goes for the token programs. */
  ammConfig?: Address
  creatorFees: { base: bigint; quote: bigint }
  /** All fees that are still in the vaults, the creator's included. They are no part of the reserves. */
  heldFees: { base: bigint; quote: bigint }
  baseTokenProgram?: Address
  quoteTokenProgram?: Address
}

/** None of the official packages has a serializer for pools. */
const POOL_BYTES = 637
const DISCRIMINATOR = [247, 237, 227, 245, 215, 195, 222, 70]
const AMM_CONFIG = 8
const MINTS = [168, 200] as const
const TOKEN_PROGRAMS = [232, 264] as const
const PROTOCOL_FEES = [341, 349] as const
const FUND_FEES = [357, 365] as const
const CREATOR_FEES = [397, 405] as const

/** Decodes the pool of these two mints; a pool of other mints is `other-kind`. */
export const decodePoolState = (
  account: ChainAccount,
  { baseMint, quoteMint }: { baseMint: Address; quoteMint: Address },
): Decoded<PoolState> =>
  decodeProgramAccount(account, Object.values(RAYDIUM_PROGRAMS), ({ owner, data }) => {
    if (data.length === 0) return 'malformed'
    if (DISCRIMINATOR.some((byte, index) => data[index] !== byte)) return 'other-kind'
    if (data.length < POOL_BYTES) return 'malformed'
    const mints = MINTS.map(at => addressAt(data, at))
    const base = mints[0] === baseMint ? 0 : 1
    const quote = base === 0 ? 1 : 0
    if (mints[base] !== baseMint || mints[quote] !== quoteMint) return 'other-kind'
    const view = new DataView(data.buffer, data.byteOffset, data.length)
    const feesAt = (offsets: readonly [number, number]) => ({
      base: view.getBigUint64(offsets[base], true),
      quote: view.getBigUint64(offsets[quote], true),
    })
    const creatorFees = feesAt(CREATOR_FEES)
    const all = [creatorFees, feesAt(PROTOCOL_FEES), feesAt(FUND_FEES)]
    const ammConfig = keyAt(data, AMM_CONFIG)
    const baseTokenProgram = keyAt(data, TOKEN_PROGRAMS[base])
    const quoteTokenProgram = keyAt(data, TOKEN_PROGRAMS[quote])
    return {
      environment: owner === RAYDIUM_PROGRAMS.mainnet ? 'mainnet' : 'devnet',
      creatorFees,
      heldFees: {
        base: all.reduce((sum, fees) => sum + fees.base, 0n),
        quote: all.reduce((sum, fees) => sum + fees.quote, 0n),
      },
      ...(ammConfig && { ammConfig }),
      ...(baseTokenProgram && { baseTokenProgram }),
      ...(quoteTokenProgram && { quoteTokenProgram }),
    }
  })

/** What can be traded in the pool of a graduated launch, in the smallest units. */
export interface PoolReserves {
  quote: bigint
  base: bigint
  /** Quote tokens that the pool still holds for the creator. */
  creatorFees: bigint
}

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

interface TokenAccount {
  mint: Address
  amount: bigint
}

const TOKEN_AMOUNT = 64
const TOKEN_ACCOUNT_BYTES = 165

/** A token account of either token program. */
const decodeTokenAccount = (account: ChainAccount): Decoded<TokenAccount> =>
  decodeProgramAccount(account, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM], ({ data }) =>
    data.length < TOKEN_ACCOUNT_BYTES
      ? 'other-kind'
      : {
          mint: addressAt(data, 0),
          amount: new DataView(data.buffer, data.byteOffset).getBigUint64(TOKEN_AMOUNT, true),
        },
  )
