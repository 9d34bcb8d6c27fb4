import {
  assetSignerAddress,
  associatedTokenAddress,
  identityAddress,
  tokenMetadataAddress,
} from '@slipway/launch-model/addresses'
import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { AgentWallet, WalletToken } from '@slipway/schema/agent-wallet'
import { cleanName } from '@slipway/schema/clean-text'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeIdentity } from '../../chain/accounts/identity.ts'
import {
  decodeMint,
  decodeTokenMetadata,
  findRestriction,
  findTokenName,
  type TransferRestriction,
} from '../../chain/accounts/mint.ts'
import { decodeHolding } from '../../chain/accounts/token-account.ts'
import type { AtSlot } from '../../chain/at-slot.ts'
import type { HeldToken, HeldTokens, ReadHeldTokens } from '../../chain/heavy-reads.ts'
import type { ChainRpc } from '../../chain/rpc/create-rpc.ts'
import { RpcError } from '../../chain/rpc/fault.ts'
import { createKeptReads } from '../../lib/kept-reads.ts'
import { type AssetParts, readAsset } from '../read-asset.ts'

export interface WalletParts {
  rpc: AssetParts['rpc'] & Pick<ChainRpc, 'newestSlot'>
  isKnown: AssetParts['isKnown']
  heldTokens: ReadHeldTokens
  /** Whether the mint is that of a registered launch. */
  isLaunched(mint: Address): boolean
}

/** With the slot of the oldest read. */
interface WalletReading {
  wallet: AgentWallet
  oldestSlot: number
}

/** The name of each token costs two account reads, and strangers choose how many tokens there are. */
const TOKENS_MAX = 100
const SYMBOL_LENGTH_MAX = 16
const NAME_LENGTH_MAX = 64

const KEPT_MS = 1_000
const KEPT_MAX = 1_000

/** Wallets that are at most a second old: everyone who asks within that time shares one read. */
export function createWallets(parts: WalletParts, now?: () => number) {
  const keep = createKeptReads<Address, WalletReading>({
    keptMs: KEPT_MS,
    sizeMax: KEPT_MAX,
    now,
  })
  return async (agent: Address, { minSlot = 0, client }: AtSlot): Promise<AgentWallet> => {
    const read = () => readWallet(parts, agent, { client, minSlot })
    return (await keep(agent, read, KEPT_MS, ({ oldestSlot }) => oldestSlot >= minSlot)).wallet
  }
}

/** Everything that the agent's wallet holds. Throws `AGENT_NOT_FOUND` if there is no such agent. */
export async function readWallet(parts: WalletParts, address: Address, at: AtSlot): Promise<WalletReading> {
  const { rpc, isLaunched } = parts
  const sinceSlot = rpc.newestSlot()
  const wallet = assetSignerAddress(address)
  const { others } = await readAsset(parts, address, [identityAddress(address)])
  const identity = decodeIdentity(others[0] as ChainAccount)
  const ownToken = identity.exists ? identity.agentToken : undefined
  const { holdings, isComplete, heldSlot } = await readHoldings(parts, wallet, { ownToken, ...at })
  const rankOf = (mint: Address) => {
    if (mint === WRAPPED_NATIVE_MINT) return 0
    return mint === ownToken ? 1 : isLaunched(mint) ? 2 : 3
  }
  const listed = [...holdings.values()]
    .map(holding => ({ ...holding, rank: rankOf(holding.mint) }))
    .sort((a, b) => a.rank - b.rank || (a.mint < b.mint ? -1 : 1))
    .slice(0, TOKENS_MAX)
  const mints = listed.map(({ mint }) => mint)
  const { slot, accounts } = await rpc.fetchAccounts([wallet, ...mints, ...mints.map(tokenMetadataAddress)])
  const accountAt = (index: number) => accounts[index] as ChainAccount
  const tokens = listed.flatMap(({ mint, amount, isFrozen, rank }, index): WalletToken[] => {
    const described = describeMint(mint, accountAt(1 + index), accountAt(1 + mints.length + index))
    if (!described) return []
    const restriction = isFrozen ? 'frozen' : described.restriction
    return [{ mint, amount: `${amount}`, ...described, known: rank < 3, restriction }]
  })
  const own = accountAt(0)
  const found: AgentWallet = {
    address: wallet,
    lamports: `${own.exists ? own.lamports : 0n}`,
    tokens,
    truncated: !isComplete || holdings.size > tokens.length,
    slot,
  }
  return { wallet: found, oldestSlot: Math.min(sinceSlot, heldSlot) }
}

/** If there are more accounts than a node returns, or than are looked at, at least the most important ones are read. */
async function readHoldings(
  { rpc, heldTokens }: WalletParts,
  wallet: Address,
  { ownToken, client, minSlot }: AtSlot & { ownToken: Address | undefined },
): Promise<{ holdings: Map<Address, Holding>; isComplete: boolean; heldSlot: number }> {
  const {
    tokens,
    truncated,
    slot: heldSlot,
  } = await heldTokens(wallet, { client, ageMsMax: 0, minSlot }).catch((error): HeldTokens => {
    if (!(error instanceof RpcError)) throw error
    return { tokens: [], truncated: true, slot: Number.POSITIVE_INFINITY }
  })
  if (!truncated) return { holdings: sumUp(tokens), isComplete: true, heldSlot }
  const { accounts } = await rpc.fetchAccounts([
    associatedTokenAddress(WRAPPED_NATIVE_MINT, wallet, TOKEN_PROGRAM),
    ...(ownToken
      ? [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(program => associatedTokenAddress(ownToken, wallet, program))
      : []),
  ])
  const bytes = addressBytes(wallet)
  const important = accounts.flatMap(account => {
    const token = decodeHolding(account, bytes)
    return token.exists && token.amount > 0n ? [token] : []
  })
  const known = new Map([...tokens, ...important].map(token => [token.address, token]))
  return { holdings: sumUp(known.values()), isComplete: false, heldSlot }
}

type Holding = Omit<HeldToken, 'address'>

function sumUp(tokens: Iterable<HeldToken>): Map<Address, Holding> {
  const holdings = new Map<Address, Holding>()
  for (const { mint, amount, isFrozen } of tokens) {
    const known = holdings.get(mint)
    holdings.set(mint, {
      mint,
      amount: amount + (known?.amount ?? 0n),
      isFrozen: isFrozen || (known?.isFrozen ?? false),
    })
  }
  return holdings
}

/** Undefined if the mint can't be read: without its decimals, amounts mean nothing. */
function describeMint(
  address: Address,
  mintAccount: ChainAccount,
  metadata: ChainAccount,
):
  | (Pick<WalletToken, 'decimals' | 'symbol' | 'name'> & { restriction: TransferRestriction | null })
  | undefined {
  if (address === WRAPPED_NATIVE_MINT)
    return { decimals: 9, symbol: 'SOL', name: 'Wrapped SOL', restriction: null }
  const mint = decodeMint(mintAccount)
  if (!mint.exists || !mintAccount.exists) return undefined
  const text = findTokenName(mint, decodeTokenMetadata(metadata))
  return {
    decimals: mint.decimals,
    symbol: cleanName(text?.symbol, SYMBOL_LENGTH_MAX) ?? '',
    name: cleanName(text?.name, NAME_LENGTH_MAX) ?? '',
    restriction: findRestriction(mintAccount),
  }
}
