import type { Address } from '@slipway/schema/address'
import { assetSignerAddress, associatedTokenAddress } from './addresses.ts'
import type { Call } from './call.ts'
import { createAssetCall, memoCall, type NewAgent, registerIdentityCall } from './calls/agents.ts'
import {
  closeTokenAccountCall,
  openTokenAccountCall,
  setComputeLimitCall,
  syncNativeCall,
  transferCall,
  transferTokensCall,
} from './calls/tokens.ts'
import { WRAPPED_NATIVE_MINT } from './programs.ts'
import type { Step } from './trade/wrap-native.ts'

const signed = (call: Call): Step => ({ call, byAgent: true })
const free = (call: Call): Step => ({ call, byAgent: false })

/** Creates an asset and registers it as an agent. `agentUri` is that of the registration document. */
export const planMint = (
  agent: NewAgent,
  { agentUri, ...document }: { name: string; uri: string; agentUri: string },
): Step[] => [free(createAssetCall(agent, document)), free(registerIdentityCall(agent, agentUri))]

/** Pays native currency into the wallet of an agent, with a public memo that the sender signs too. */
export const planFunding = (
  asset: Address,
  { sender, lamports, memo }: { sender: Address; lamports: bigint; memo?: string | undefined },
): Step[] => [
  free(transferCall(sender, assetSignerAddress(asset), lamports)),
  ...(memo === undefined ? [] : [free(memoCall(sender, memo))]),
]

/** Pays native currency from the wallet of an agent to its owner. */
export const planWithdrawal = (asset: Address, owner: Address, lamports: bigint): Step[] => [
  signed(transferCall(assetSignerAddress(asset), owner, lamports)),
]

/** More than twice what the real program used (14,003 and 21,812 units, depending on the addresses), with room for guards. */
const DELEGATE_UNITS = 150_000

/** A change of who may act for an agent. */
export const planDelegateChange = (call: Call): Step[] => [
  free(setComputeLimitCall(DELEGATE_UNITS)),
  free(call),
]

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

/** A token account of the agent's wallet, as it was read. */
export interface HeldTokens {
  address: Address
  amount: bigint
  lamports: bigint
  isFrozen: boolean
}

/** A token account, and the amount taken from it. */
export type TokenSource = Omit<HeldTokens, 'isFrozen'> & { taken: bigint }

/** As many as fit into a transaction that leaves room for a wallet's guards. */
const SOURCES_MAX = 5

/** The accounts that tokens can come from, largest first. */
export function listSources<H extends HeldTokens>(
  held: readonly H[],
  { mint, program }: MovedToken,
  wallet: Address,
  isAll: boolean,
): H[] {
  const own = associatedTokenAddress(mint, wallet, program)
  // Only the associated account can be created again at the same address.
  const mayKeepPart = (address: Address) => mint !== WRAPPED_NATIVE_MINT || isAll || address === own
  return held
    .filter(({ isFrozen, amount, address }) => !isFrozen && amount > 0n && mayKeepPart(address))
    .sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1))
    .slice(0, SOURCES_MAX)
}

/** Takes an amount from the first of these that have it. */
export function takeFrom<H extends HeldTokens>(
  sources: readonly H[],
  amount: bigint,
): (H & { taken: bigint })[] {
  let left = amount
  return sources.flatMap(source => {
    const taken = source.amount < left ? source.amount : left
    left -= taken
    return taken > 0n ? { ...source, taken } : []
  })
}

/**
 * Wrapped native currency is unwrapped on the way. An account that is emptied is closed, and its rent goes to the
 * owner too. If an account keeps a part, everything goes through the agent's wallet, whose own balance stays the
 * same.
 */
export function planTokenWithdrawal({ token, wallet, owner, sources }: TokenWithdrawal): Step[] {
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

/** Tokens that anyone pays into the wallet of an agent, with a memo. Native currency is wrapped on the way. */
export function planTokenFunding(
  token: MovedToken,
  { sender, wallet, amount, memo }: { sender: Address; wallet: Address; amount: bigint; memo: string },
): Step[] {
  const { mint, program } = token
  const accountOf = (owner: Address) => associatedTokenAddress(mint, owner, program)
  const [from, to] = [accountOf(sender), accountOf(wallet)]
  return [
    setComputeLimitCall(COMPUTE_BASE),
    openTokenAccountCall(sender, wallet, token),
    ...(mint === WRAPPED_NATIVE_MINT
      ? [transferCall(sender, to, amount), syncNativeCall(to)]
      : [transferTokensCall(token, { from, to, owner: sender, amount })]),
    memoCall(sender, memo),
  ].map(free)
}

/**
 * More than twice the highest use measured on the real programs (42,756 units for a transfer, 74,322 for a part of
 * the wrapped currency, 121,249 for five accounts, depending on the addresses), plus 10,000 for each token
 * instruction, because the tests' token program uses less than the chain's, plus 50,000 for a wallet's guards.
 */
const COMPUTE_BASE = 200_000
const COMPUTE_PER_EXECUTE = 80_000
