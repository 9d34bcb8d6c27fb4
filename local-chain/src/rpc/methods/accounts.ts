import type { Address } from '@solana/kit'
import type { ChainAccount } from '../../ledger/account.ts'
import { accountFormat, encodeAccount } from '../encode-account.ts'
import { type ProgramFilter, parseFilters } from '../filters.ts'
import { invalidParams } from '../json-rpc.ts'
import type { Methods } from '../params.ts'
import { booleanOf, resolveCommitment, toAddress, withContext } from '../params.ts'

const ACCOUNTS_MAX = 100

export const accountMethods: Methods = {
  getAccountInfo({ chain }, params) {
    const address = params.address(0)
    const config = params.config(1)
    const format = accountFormat(config)
    const commitment = resolveCommitment(chain, config)
    const read = (of: Address) => chain.account(of, commitment)
    const account = read(address)
    return withContext(chain, commitment, account ? encodeAccount(account, format, read) : null)
  },

  getMultipleAccounts({ chain }, params) {
    const list = params.array(0)
    const config = params.config(1)
    if (list.length > ACCOUNTS_MAX) throw invalidParams(`Too many inputs provided; max ${ACCOUNTS_MAX}`)
    const addresses = list.map(toAddress)
    const format = accountFormat(config, 'base64')
    const commitment = resolveCommitment(chain, config)
    const read = (of: Address) => chain.account(of, commitment)
    const value = addresses.map(address => {
      const account = read(address)
      return account ? encodeAccount(account, format, read) : null
    })
    return withContext(chain, commitment, value)
  },

  getProgramAccounts({ chain }, params) {
    const program = params.address(0)
    const config = params.config(1)
    const format = accountFormat(config)
    const filters = parseFilters(config.filters)
    const commitment = resolveCommitment(chain, config)
    const value = selectAccounts(chain.programAccounts(program, commitment), filters).map(
      ([pubkey, account]) => ({
        account: encodeAccount(account, format, of => chain.account(of, commitment)),
        pubkey,
      }),
    )
    return booleanOf(config, 'withContext') ? withContext(chain, commitment, value) : value
  },

  getBalance({ chain }, params) {
    const address = params.address(0)
    const commitment = resolveCommitment(chain, params.config(1))
    return withContext(chain, commitment, chain.account(address, commitment)?.lamports ?? 0n)
  },

  getMinimumBalanceForRentExemption({ chain }, params) {
    // Rent is linear in the size. The VM itself would overflow on sizes that no account can have.
    const [none, one] = [chain.vm.rentExemptMinimum(0), chain.vm.rentExemptMinimum(1)]
    return none + (one - none) * BigInt(params.u64(0))
  },
}

/** The accounts that match all filters, sorted by address. */
function selectAccounts(
  accounts: Iterable<readonly [Address, ChainAccount]>,
  filters: readonly ProgramFilter[],
): (readonly [Address, ChainAccount])[] {
  const selected: (readonly [Address, ChainAccount])[] = []
  for (const entry of accounts) if (filters.every(accepts => accepts(entry[1]))) selected.push(entry)
  return selected.sort(([a], [b]) => (a < b ? -1 : 1))
}
