import type { Address } from '@slipway/schema/address'
import { associatedTokenAddress } from '../addresses.ts'
import type { Call } from '../call.ts'
import {
  closeTokenAccountCall,
  openTokenAccountCall,
  setComputeLimitCall,
  syncNativeCall,
  transferCall,
  transferTokensCall,
} from '../calls/tokens.ts'
import { WRAPPED_NATIVE_MINT } from '../programs.ts'
import type { Step } from '../trade/wrap-native.ts'

export interface MovedToken {
  mint: Address
  program: Address
  decimals: number
}

/** Tokens that leave the wallet of an agent. */
export interface TokenWithdrawal {
  token: MovedToken
  /** The agent's wallet. */
  wallet: Address
  /** Signs, pays and receives. */
  owner: Address
  sources: readonly TokenSource[]
}

/** A token account, as it was read, and the amount taken from it. */
export interface TokenSource {
  address: Address
  amount: bigint
  lamports: bigint
  taken: bigint
}

/**
 * Wrapped native currency is unwrapped on the way. An account that is emptied is closed, and its rent goes to the
 * owner too. If an account keeps a part, everything goes through the agent's wallet, whose own balance stays the
 * same.
 */
export function planWithdrawal({ token, wallet, owner, sources }: TokenWithdrawal): Step[] {
  const { mint, program } = token
  const isNative = mint === WRAPPED_NATIVE_MINT
  const to = associatedTokenAddress(mint, owner, program)
  const moves = sources.flatMap(({ address, amount, lamports, taken }): Step[] => {
    if (!isNative)
      return [signed(transferTokensCall(token, { from: address, to, owner: wallet, amount: taken }))]
    if (taken === amount) return [signed(closeTokenAccountCall(address, owner, wallet))]
    return [
      signed(closeTokenAccountCall(address, wallet, wallet)),
      signed(transferCall(wallet, owner, taken)),
      // The account is created again with the remaining balance, so that the owner is charged nothing.
      signed(transferCall(wallet, address, lamports - taken)),
      free(openTokenAccountCall(owner, wallet, token)),
    ]
  })
  const executes = moves.filter(({ byAgent }) => byAgent).length
  return [
    free(setComputeLimitCall(COMPUTE_BASE + executes * COMPUTE_PER_EXECUTE)),
    ...(isNative ? [] : [free(openTokenAccountCall(owner, owner, token))]),
    ...moves,
  ]
}

/** Tokens that anyone pays into the wallet of an agent. Native currency is wrapped on the way. */
export function planFunding(
  token: MovedToken,
  { sender, wallet, amount }: { sender: Address; wallet: Address; amount: bigint },
): Call[] {
  const { mint, program } = token
  const accountOf = (owner: Address) => associatedTokenAddress(mint, owner, program)
  const [from, to] = [accountOf(sender), accountOf(wallet)]
  return [
    setComputeLimitCall(COMPUTE_BASE),
    openTokenAccountCall(sender, wallet, token),
    ...(mint === WRAPPED_NATIVE_MINT
      ? [transferCall(sender, to, amount), syncNativeCall(to)]
      : [transferTokensCall(token, { from, to, owner: sender, amount })]),
  ]
}

const signed = (call: Call): Step => ({ call, byAgent: true })
const free = (call: Call): Step => ({ call, byAgent: false })

/**
 * More than twice the highest use measured on the real programs (42,756 units for a transfer, 74,322 for a part of
 * the wrapped currency, 121,249 for five accounts, depending on the addresses), plus 10,000 for each token
 * instruction, because the tests' token program uses less than the chain's, plus 50,000 for a wallet's guards.
 */
const COMPUTE_BASE = 200_000
const COMPUTE_PER_EXECUTE = 80_000
