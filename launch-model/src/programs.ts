import type { Address } from '@slipway/schema/address'

export type { Address }

/** Fixed addresses. Tests compare every one of them with the official clients. */
export const CORE_PROGRAM = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d' as Address
export const IDENTITY_PROGRAM = '1DREGFgysWYxLnRnKQnwrxnJQeSMk2HmGaC6whw2B2p' as Address
/** Records who may act for an agent's wallet besides its owner. */
export const AGENT_TOOLS_PROGRAM = 'TLREGni9ZEyGC3vnPZtqUh95xQ8oPqJSvNjvB7FGK8S' as Address
export const GENESIS_PROGRAM = 'GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B' as Address
export const TOKEN_METADATA_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' as Address
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address
export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address
/** The account that has the chain's time. */
export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111' as Address
/** The owner of the chain's own accounts. */
export const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111' as Address
/** The account that says what rent costs. */
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address
/** The version of the memo program that checks signers. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
export const WRAPPED_NATIVE_MINT = 'So11111111111111111111111111111111111111112' as Address

/** Raydium's constant-product program has a different address on each network. */
export const RAYDIUM_PROGRAMS = {
  mainnet: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C' as Address,
  devnet: 'DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb' as Address,
}
export type RaydiumEnvironment = keyof typeof RAYDIUM_PROGRAMS

/** The configuration of pools that pay no creator. */
export const RAYDIUM_CONFIGS: Record<RaydiumEnvironment, Address> = {
  mainnet: 'Bq9YmSkZ6f13L4rPsx9MxSXuyPfKCBbvrbvarKti1LdG' as Address,
  devnet: 'G7YfJJp1TX1VtzN4V2yhPNSU23AKPSy1U2miRdwAByK5' as Address,
}

/** Receives Raydium's fee for a new pool. */
export const POOL_FEE_RECEIVERS: Record<RaydiumEnvironment, Address> = {
  mainnet: 'DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8' as Address,
  devnet: '3oE58BKVt8KuYkGxx8zBojugnymWmBiyafWgMrnb6eYy' as Address,
}

/** The configuration of pools that pay a creator. */
export const RAYDIUM_CREATOR_FEE_CONFIGS: Record<RaydiumEnvironment, Address> = {
  mainnet: 'CRRS5ieQmBrZjWhcj99JuGrT5tyuWDaGAXLXLFjbAtjQ' as Address,
  devnet: '5MxLgy9oPdTC3YgkiePHqr3EoCRD9uLVYRQS2ANAs7wy' as Address,
}

/** Receives the fees of Genesis. */
export const GENESIS_FEE_WALLET = '9kFjQsxtpBsaw8s7aUyiY3wazYDNgFP4Lj5rsBVVF8tb' as Address

/** Receives the protocol's share of a pool's fees. */
export const RAYDIUM_FEE_WALLET = 'A1xCjrfiQdRZHbCnovSqLeRkFTcgWJKWCYv9E8WxcfoR' as Address
