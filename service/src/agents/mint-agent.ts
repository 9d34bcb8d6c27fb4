import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { isOnCurve } from '@slipway/launch-model/bytes/program-address'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { MintAgentBody } from '@slipway/schema/mint'
import type { Network } from '@slipway/schema/network'
import type { Blockhash, BlockhashSource, ChainAccount, CheckedReader } from '../chain/account-reader.ts'
import { decodeCollection } from '../chain/accounts/collection.ts'
import { buildMintTransaction, type Mint } from '../chain/transactions/build-agent.ts'
import { TRANSACTION_BYTES_MAX, TransactionTooLarge } from '../chain/transactions/compile-transaction.ts'
import { createFreshKey } from '../chain/transactions/fresh-key.ts'
import { isObject } from '../metadata/fetched-document.ts'
import { documentUrl, sha256Of } from '../metadata/own-documents.ts'
import type { HostDocument } from '../store/pending-documents.ts'
import { cardUrl } from './agent-paths.ts'
import { checkAuthoredCard, type OwnCards } from './check-authored-card.ts'

export interface MintParts extends OwnCards {
  hostDocument: HostDocument
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, { rpc: CheckedReader; blockhash: BlockhashSource }>>
  /** Whether URLs of documents may be written to a network's chain. */
  hostsDocuments: Partial<Record<Network, boolean>>
  /** Without fresh keys, the caller must bring the asset's key. */
  freshKeys: boolean
}

interface MintedAgent {
  tx: string
  blockhash: Blockhash
  assetAddress: Address
}

/**
 * Builds the transaction that creates an asset and registers it as an agent, and hosts its registration document and
 * card until the chain names them.
 */
export async function mintAgent(parts: MintParts, body: MintAgentBody, client: string): Promise<MintedAgent> {
  const { network, wallet, name, uri, collectionAddress } = body
  const chain = parts.chains[network]
  if (!chain) throw invalid('network', 'is not served by this deployment')
  if (!parts.hostsDocuments[network]) throw new ServiceError('PUBLIC_URL_MISSING')
  const key = chooseKey(parts, body)
  const { document, card } = prepareDocument(parts, body, key.address)
  const sha256 = sha256Of(document)
  const [recent] = await Promise.all([
    chain.blockhash.latest(),
    assertMintable(chain.rpc, { wallet, asset: body.asset, collection: collectionAddress }),
  ])
  const tx = build({
    asset: key.address,
    wallet,
    collection: collectionAddress ?? undefined,
    name,
    uri,
    agentUri: documentUrl(parts.publicUrl, sha256),
    blockhash: recent.blockhash,
  })
  // The document must be hosted before the transaction can be sent.
  const saved = await parts.hostDocument({
    sha256,
    network,
    asset: key.address,
    body: document,
    card,
    owner: wallet,
    client,
  })
  if (saved === 'removed') throw invalid('agentMetadata', 'was removed by the operator')
  return { tx: key.signTransaction(tx), blockhash: recent, assetAddress: key.address }
}

const invalid = (path: string, message: string) =>
  new ServiceError('INVALID_INPUT', { details: [{ path, message }] })

/** The caller's key, which signs nothing here, or a fresh one. */
function chooseKey({ freshKeys }: MintParts, { asset, wallet }: MintAgentBody) {
  if (!asset) {
    if (!freshKeys) throw invalid('asset', 'is required: this deployment signs no transactions')
    return createFreshKey()
  }
  if (asset === wallet) throw invalid('asset', 'must not be the same key as wallet')
  if (!isOnCurve(addressBytes(asset))) throw invalid('asset', 'must be a key that can sign')
  return { address: asset, signTransaction: (tx: string) => tx }
}

function prepareDocument(
  parts: MintParts,
  { network, agentMetadata, a2aCard }: MintAgentBody,
  asset: Address,
): { document: Buffer; card: Buffer | undefined } {
  if (a2aCard) {
    const problems = checkAuthoredCard(a2aCard, parts, { network, address: asset })
    const details = problems.map(({ path, message }) => ({
      path: path ? `a2aCard.${path}` : 'a2aCard',
      message,
    }))
    if (details.length > 0) throw new ServiceError('INVALID_INPUT', { details })
  }
  const card = a2aCard ? Buffer.from(JSON.stringify(a2aCard)) : undefined
  const cardSha256 = card && sha256Of(card)
  const url = cardUrl(parts.publicUrl, network, asset)
  const document = completeRegistration(agentMetadata, { asset, cardUrl: url, cardSha256 })
  return { document: Buffer.from(JSON.stringify(document)), card }
}

/**
 * Reads only the accounts that the caller named. The chain checks all of this too; checking here saves the caller a
 * failure.
 */
async function assertMintable(
  reader: CheckedReader,
  {
    wallet,
    asset,
    collection,
  }: { wallet: Address; asset: Address | null | undefined; collection: Address | null | undefined },
): Promise<void> {
  const addresses = [asset, collection].filter(address => typeof address === 'string')
  if (addresses.length === 0) return
  const sinceMs = performance.now()
  const { accounts } = await reader.fetchAccounts(addresses)
  const fault =
    (collection && findCollectionFault(accounts.at(-1) as ChainAccount, wallet)) ||
    (asset && accounts[0]?.exists ? 'ASSET_EXISTS' : undefined)
  if (!fault) return
  await reader.confirmCluster(sinceMs)
  throw new ServiceError(fault)
}

function findCollectionFault(account: ChainAccount, wallet: Address) {
  const collection = decodeCollection(account)
  if (!collection.exists) return 'COLLECTION_NOT_FOUND'
  const { updateAuthority, delegates } = collection
  return updateAuthority === wallet || delegates.includes(wallet) ? undefined : 'NOT_AUTHORIZED'
}

function build(mint: Mint): string {
  try {
    return buildMintTransaction(mint)
  } catch (error) {
    if (!(error instanceof TransactionTooLarge)) throw error
    throw invalid(
      'uri',
      `the transaction would exceed ${TRANSACTION_BYTES_MAX} bytes: shorten the name or the URI`,
    )
  }
}

/** The name of the registry of agents on this chain, in registration documents. */
const AGENT_REGISTRY = 'solana:101:metaplex'

/**
 * Completes a registration document: it names the agent, its card unless it names another A2A service, and the hash
 * of the authored card if there is one. The hash of any other card is dropped, because that card is not hosted here.
 */
function completeRegistration(
  { a2aCardSha256: _, ...metadata }: MintAgentBody['agentMetadata'],
  { asset, cardUrl, cardSha256 }: { asset: Address; cardUrl: string; cardSha256: string | undefined },
): Record<string, unknown> {
  const { services = [], registrations = [] } = metadata
  const isNamed = registrations.some(
    one => isObject(one) && one.agentId === asset && one.agentRegistry === AGENT_REGISTRY,
  )
  const hasCard = services.some(({ name }) => /^a2a$/i.test(name))
  return {
    ...metadata,
    services: hasCard ? services : [...services, { name: 'A2A', endpoint: cardUrl }],
    registrations: isNamed
      ? registrations
      : [{ agentId: asset, agentRegistry: AGENT_REGISTRY }, ...registrations],
    ...(cardSha256 !== undefined && { a2aCardSha256: cardSha256 }),
  }
}
