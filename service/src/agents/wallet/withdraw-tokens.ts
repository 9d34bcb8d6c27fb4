import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { type HeldTokens, listSources, planTokenWithdrawal, takeFrom } from '@slipway/launch-model/plan-agent'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { TOKEN_ACCOUNT_BYTES } from '@slipway/launch-model/rent'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { BlockhashSource } from '../../chain/account-reader.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import type { HeavyReads } from '../../chain/heavy-reads.ts'
import type { ChainRpc } from '../../chain/rpc/create-rpc.ts'
import { type FaultKind, RpcError } from '../../chain/rpc/fault.ts'
import { compileSteps } from '../../chain/transactions/compile-steps.ts'
import type { WrittenAmount } from '../parse-amount.ts'
import { type AssetParts, readAsset } from '../read-asset.ts'
import { assertSimulated, decodeToken, resolveAmount, tokenAddresses } from './read-token.ts'

interface TokenWithdrawal {
  address: Address
  sender: Address
  mint: Address
  amount: WrittenAmount
  client: string
}

interface Parts {
  rpc: AssetParts['rpc'] & Pick<ChainRpc, 'fetchTokenAccounts' | 'simulate'>
  heavyReads: HeavyReads
  isKnown: AssetParts['isKnown']
  blockhash: BlockhashSource
}

/** Builds the transaction that the owner signs to withdraw tokens. Wrapped native currency arrives as native. */
export async function withdrawTokens(
  { rpc, heavyReads, isKnown, blockhash }: Parts,
  { address, sender, mint, amount: written, client }: TokenWithdrawal,
) {
  const wallet = assetSignerAddress(address)
  const [{ asset, others }, recent] = await Promise.all([
    readAsset({ rpc, isKnown }, address, tokenAddresses(mint, [wallet, sender])),
    blockhash.latestFor(`withdraw ${address} ${sender} ${mint} ${written}`),
  ])
  // The chain checks this too; this check saves the caller a transaction that cannot succeed.
  if (asset.owner !== sender) throw new ServiceError('NOT_AGENT_OWNER')
  const { token, accountOf } = decodeToken(mint, others)
  const isNative = mint === WRAPPED_NATIVE_MINT
  const to = isNative ? undefined : accountOf(sender)
  if (to?.exists && to.isFrozen) throw new ServiceError('TOKEN_FROZEN')
  const held = await heavyReads.run(client, () => readSources(rpc, wallet, mint))
  const usable = listSources(held, token, wallet, written === 'all')
  const has = usable.reduce((sum, source) => sum + source.amount, 0n)
  if (has === 0n && held.some(source => source.isFrozen)) throw new ServiceError('TOKEN_FROZEN')
  const amount = resolveAmount(written, has, token.decimals)
  const sources = takeFrom(usable, amount)
  if (isNative && sources.some(source => source.isClosedByOthers))
    throw new ServiceError('TOKEN_ACCOUNT_TAKEN')
  const steps = planTokenWithdrawal({ token, wallet, owner: sender, sources })
  const agent = { asset: address, collection: asset.collection }
  const tx = compileSteps(steps, { agent, payer: sender, blockhash: recent.blockhash })
  assertSimulated(await rpc.simulate(tx))
  return { tx, blockhash: recent, amount: `${amount}`, decimals: token.decimals }
}

type Held = HeldTokens & { isClosedByOthers: boolean }

/**
 * The failures of a list that is too long, or that a node doesn't support. Other failures say nothing about the list.
 */
const NOT_LISTED: ReadonlySet<FaultKind> = new Set(['passing', 'garbled', 'unable', 'refused'])

/**
 * The agent's accounts of this mint. If there are more than a node returns, or than are read, only the
 * associated one.
 */
async function readSources(rpc: Parts['rpc'], wallet: Address, mint: Address): Promise<Held[]> {
  const listed = await rpc.fetchTokenAccounts(wallet, { mint }, TOKEN_ACCOUNT_BYTES).catch(error => {
    if (!(error instanceof RpcError && NOT_LISTED.has(error.kind))) throw error
    return undefined
  })
  const { accounts } =
    listed && !listed.truncated ? listed : await rpc.fetchAccounts(tokenAddresses(mint, [wallet]).slice(1))
  return accounts.flatMap((account): Held[] => {
    const token = decodeTokenAccount(account)
    const isOurs = token.exists && token.holder === wallet && token.mint === mint && token.amount > 0n
    return isOurs && account.exists ? [{ ...token, lamports: account.lamports }] : []
  })
}
