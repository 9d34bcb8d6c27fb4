import type { Address } from '@slipway/client'

/** Fixed addresses. A test compares those of the programs with the official clients. */
export const SYSTEM_PROGRAM: Address = '11111111111111111111111111111111'
export const COMPUTE_BUDGET_PROGRAM: Address = 'ComputeBudget111111111111111111111111111111'
/** The version of the memo program that checks signers. */
export const MEMO_PROGRAM: Address = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
export const TOKEN_PROGRAM: Address = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM: Address = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const ASSOCIATED_TOKEN_PROGRAM: Address = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const TOKEN_METADATA_PROGRAM: Address = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
export const CORE_PROGRAM: Address = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d'
export const IDENTITY_PROGRAM: Address = '1DREGFgysWYxLnRnKQnwrxnJQeSMk2HmGaC6whw2B2p'
export const GENESIS_PROGRAM: Address = 'GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B'
/** Raydium's constant-product program has a different address on each network. */
export const RAYDIUM_PROGRAMS: readonly Address[] = [
  'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
  'DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb',
]

export const WRAPPED_SOL_MINT: Address = 'So11111111111111111111111111111111111111112'
/** Receives the fees of Genesis. */
export const GENESIS_FEE_WALLET: Address = '9kFjQsxtpBsaw8s7aUyiY3wazYDNgFP4Lj5rsBVVF8tb'
/** Receives the protocol's share of a pool's fees. */
export const RAYDIUM_FEE_WALLET: Address = 'A1xCjrfiQdRZHbCnovSqLeRkFTcgWJKWCYv9E8WxcfoR'
