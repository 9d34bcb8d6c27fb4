import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import type { MovedToken } from '@slipway/launch-model/plan-agent'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeMint, findRestriction } from '../../chain/accounts/mint.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import { describeFailure } from '../../chain/describe-failure.ts'
import type { Simulation } from '../../chain/rpc/requests.ts'
import { formatTokens } from '../../lib/format-units.ts'
import { parseAmount, type WrittenAmount } from '../parse-amount.ts'

/** The accounts that show what a mint is and what these wallets hold of it, whichever token program it belongs to. */
export const tokenAddresses = (mint: Address, owners: readonly Address[]): Address[] => [
  mint,
  ...[TOKEN_PROGRAM, TOKEN_2022_PROGRAM].flatMap(program =>
    owners.map(owner => associatedTokenAddress(mint, owner, program)),
  ),
]

/** Decodes the accounts at `tokenAddresses`. Throws if the mint is not a token or can't be transferred. */
export function decodeToken(mint: Address, accounts: readonly ChainAccount[]) {
  const at = (address: Address) => accounts.find(account => account.address === address) as ChainAccount
  const account = at(mint)
  const decoded = decodeMint(account)
  if (!decoded.exists || !account.exists)
    throw new ServiceError('INVALID_INPUT', { details: [{ path: 'mint', message: 'is not a token' }] })
  const restriction = findRestriction(account)
  if (restriction && restriction !== 'fee')
    throw new ServiceError('TRANSFER_RESTRICTED', { details: [{ path: 'mint', message: WHY[restriction] }] })
  const { tokenProgram: program, decimals } = decoded
  const token: MovedToken = { mint, program, decimals }
  return {
    token,
    /** The associated account of one of the wallets. Throws if its owner no longer controls it. */
    accountOf(owner: Address) {
      const held = decodeTokenAccount(at(associatedTokenAddress(mint, owner, program)))
      if (held.exists && (held.holder !== owner || held.mint !== mint))
        throw new ServiceError('TOKEN_ACCOUNT_TAKEN')
      return held
    },
  }
}

const WHY = {
  'non-transferable': 'can never be transferred',
  paused: 'has paused its transfers',
  hook: 'calls a program of its own for each transfer',
}

/** The amount in the token's smallest unit, or the whole balance. */
export function resolveAmount(written: WrittenAmount, has: bigint, decimals: number): bigint {
  const amount = written === 'all' ? has : parseAmount(written, decimals)
  if (amount === undefined)
    throw new ServiceError('INVALID_INPUT', {
      details: [{ path: 'amount', message: `must have at most ${decimals} decimals, and fit in 64 bits` }],
    })
  if (amount === 0n) throw insufficient('holds nothing')
  if (amount > has) {
    const format = (units: bigint) => formatTokens(units, decimals)
    throw insufficient(`has ${format(has)}, needs ${format(amount)}`)
  }
  return amount
}

export const insufficient = (message: string) =>
  new ServiceError('INSUFFICIENT_BALANCE', { details: [{ path: ['amount'], message }] })

/** Finds failures that only a simulation shows, such as an owner who can't pay the rent of a new token account. */
export function assertSimulated(simulation: Simulation): void {
  if (simulation.err === null) return
  throw new ServiceError('TRANSACTION_WOULD_FAIL', {
    details: [{ path: '', message: describeFailure(simulation) }],
  })
}
