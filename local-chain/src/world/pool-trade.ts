import type { Address } from '@solana/kit'
import type { ChainAccount } from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import { asKey } from '../programs/genesis/checks.ts'
import { decodePool, encodePoolFees } from '../programs/genesis/pool-state.ts'
import { poolKeys, type RaydiumEnvironment } from './keys.ts'
import { WRAPPED_SOL } from './launch-accounts.ts'
import { buildTokenAccount } from './token-accounts.ts'
import type { TradedLaunch } from './trade-instructions.ts'

/**
 * The accounts of a pool after a trade that brought it lamports and creator fees, or `undefined` if there is no pool.
 * They are written directly, because Raydium has no stand-in.
 */
export function tradedInPool(
  chain: Chain,
  { mint, addresses }: TradedLaunch,
  environment: RaydiumEnvironment,
  { lamports, fees }: { lamports: bigint; fees: bigint },
): Map<Address, ChainAccount> | undefined {
  const account = chain.account(addresses.pool)
  const before = account && decodePool(account.data, asKey(mint), asKey(WRAPPED_SOL))
  if (!before) return undefined
  const { isProjectMintToken0, poolAuthority, quoteVault } = poolKeys(mint, addresses.amm, environment)
  const quote = before.quote + fees
  const [fees0, fees1] = isProjectMintToken0 ? [before.base, quote] : [quote, before.base]
  const held = decodeTokenAccount(chain.account(quoteVault))?.amount ?? 0n
  const rent = chain.vm.rentExemptMinimum
  return new Map([
    [addresses.pool, { ...account, data: encodePoolFees(account.data, fees0, fees1) }],
    [quoteVault, buildTokenAccount(WRAPPED_SOL, poolAuthority, held + lamports, rent)],
  ])
}
