import { genesisAddress } from '@slipway/launch-model/addresses'
import type { LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import { type LaunchStep, listLaunchSteps } from '@slipway/launch-model/plan/launch-steps'
import { outlineLaunch } from '@slipway/launch-model/plan/outline-launch'
import { planBuckets } from '@slipway/launch-model/plan/plan-buckets'
import { toUnits } from '@slipway/launch-model/plan/to-units'
import type { Address } from '@slipway/schema/address'
import type { CreateLaunchBody, LaunchInput } from '@slipway/schema/create-launch'
import { type ErrorDetail, ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import type { Blockhash, BlockhashSource, CheckedReader } from '../../chain/account-reader.ts'
import { TransactionTooLarge } from '../../chain/transactions/compile-transaction.ts'
import { createFreshKey } from '../../chain/transactions/fresh-key.ts'
import { packSteps } from '../../chain/transactions/launch/pack-steps.ts'
import { documentUrl, sha256Of } from '../../metadata/own-documents.ts'
import type { Database } from '../../store/database.ts'
import type { HostDocument } from '../../store/pending-documents.ts'
import { checkEnds } from './check-conditions.ts'
import { checkLaunch } from './check-launch.ts'
import { checkQuoteAmounts } from './check-quote-amounts.ts'
import { type LaunchBasis, readLaunchBasis } from './read-launch-basis.ts'
import { readProgress } from './read-progress.ts'

export interface CreateParts {
  /** Its clock decides, so that all nodes decide alike. */
  database: Pick<Database, 'nowMs'>
  hostDocument: HostDocument
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, { rpc: CheckedReader; blockhash: BlockhashSource }>>
  publicUrl: string
  publicUrlsPrevious: readonly string[]
  /** Whether URLs of documents may be written to a network's chain. */
  hostsDocuments: Partial<Record<Network, boolean>>
  /** Without fresh keys, the caller must bring the token's key. */
  freshKeys: boolean
}

interface CreatedLaunch {
  transactions: string[]
  blockhash: Blockhash
  mintAddress: Address
  genesisAccount: Address
}

/**
 * Builds the transactions that create a launch, or those that are still missing, and stores the token's
 * document. The document stays pending until the launch is registered.
 */
export async function createLaunch(
  parts: CreateParts,
  body: CreateLaunchBody,
  client: string,
): Promise<CreatedLaunch> {
  const { launch, wallet } = body
  const { network } = launch
  const chain = parts.chains[network]
  if (!chain) throw invalid({ path: 'launch.network', message: 'is not served by this deployment' })
  if (!parts.hostsDocuments[network]) throw new ServiceError('PUBLIC_URL_MISSING')
  const outline = outlineLaunch(launch)
  const nowSeconds = Math.floor(parts.database.nowMs() / 1_000)
  const details = checkLaunch(body, outline, nowSeconds)
  if (details.length > 0) throw invalid(...details)

  const key = chooseKey(parts, body)
  const [recent, basis] = await Promise.all([
    chain.blockhash.latest(),
    readLaunchBasis(chain.rpc, body, key?.address),
  ])
  // A finalized launch only lacks steps that are still possible after its end.
  const pastEnds = basis.isFinalized ? [] : checkEnds(outline, nowSeconds)
  if (pastEnds.length > 0) throw invalid(...pastEnds)
  const wrongAmounts = checkQuoteAmounts(launch, outline, basis)
  if (wrongAmounts.length > 0) throw invalid(...wrongAmounts)
  const document = buildTokenDocument(launch)
  const sha256 = sha256Of(document)
  const { decimals } = launch
  const genesis = genesisAddress(basis.mint)
  const plan: LaunchPlan = {
    wallet,
    agent: basis.agent,
    mint: basis.mint,
    genesis,
    quoteMint: launch.quoteMint,
    quoteTokenProgram: basis.quoteTokenProgram,
    token: {
      name: launch.name,
      symbol: launch.symbol,
      uri: documentUrl(parts.publicUrl, sha256),
      decimals,
      supply: toUnits(launch.supply, decimals) as bigint,
    },
    ...planBuckets(launch, outline, { genesis, quoteDecimals: basis.quoteDecimals }),
    isFinalized: launch.finalize,
  }
  const steps = await findSteps(parts, chain.rpc, plan, basis, sha256)
  const transactions = pack(plan, steps, recent.blockhash)
  // The document must be hosted before the transactions can be sent.
  const saved = await parts.hostDocument({
    sha256,
    network,
    asset: genesis,
    body: document,
    card: undefined,
    owner: wallet,
    client,
  })
  if (saved === 'removed')
    throw invalid({ path: 'launch', message: 'has a document that the operator removed' })
  const [first, ...rest] = transactions
  return {
    // The mint signs only the transaction that creates it.
    transactions: first && key && !basis.isStarted ? [key.signTransaction(first), ...rest] : transactions,
    blockhash: recent,
    mintAddress: basis.mint,
    genesisAccount: genesis,
  }
}

const invalid = (...details: ErrorDetail[]) => new ServiceError('VALIDATION_FAILED', { details })

/** The caller's key, which signs nothing here, or a fresh one. Undefined if the mint is read from the chain. */
function chooseKey({ freshKeys }: CreateParts, { mint, genesisAccount }: CreateLaunchBody) {
  if (!mint) {
    if (genesisAccount) return undefined
    if (!freshKeys)
      throw invalid({ path: 'mint', message: 'is required: this deployment signs no transactions' })
    return createFreshKey()
  }
  if (genesisAccount && genesisAccount !== genesisAddress(mint))
    throw invalid({ path: 'mint', message: 'is not the mint of genesisAccount' })
  return { address: mint, signTransaction: (transaction: string) => transaction }
}

/** All steps of a new launch, or those that are left of one that has been started. */
async function findSteps(
  { publicUrl, publicUrlsPrevious }: CreateParts,
  reader: CheckedReader,
  plan: LaunchPlan,
  { isStarted }: LaunchBasis,
  sha256: string,
): Promise<LaunchStep[]> {
  const steps = listLaunchSteps(plan)
  if (!isStarted) return steps
  const own = { url: publicUrl, previousUrls: publicUrlsPrevious }
  const { pending, conflicts } = await readProgress(reader, plan, steps, { own, sha256 })
  if (conflicts.length === 0) return pending
  const message = (name: string) => `is not the launch at genesisAccount: its ${name} differs`
  throw invalid(...conflicts.map(name => ({ path: 'launch', message: message(name) })))
}

function pack(plan: LaunchPlan, steps: readonly LaunchStep[], blockhash: string): string[] {
  try {
    return packSteps(plan, steps, blockhash)
  } catch (error) {
    if (!(error instanceof TransactionTooLarge)) throw error
    throw invalid({ path: 'launch.allocations', message: 'has too many buckets for one transaction' })
  }
}

/** The token's own document, as wallets read it. The same launch always gives the same bytes. */
export function buildTokenDocument({ name, symbol, image, description, externalLinks }: LaunchInput): Buffer {
  const { website = '', socials = {} } = externalLinks ?? {}
  const { x: twitter, telegram, discord } = socials
  const links = {
    ...(website && { website }),
    ...(twitter && { twitter }),
    ...(telegram && { telegram }),
    ...(discord && { discord }),
  }
  const document = {
    name,
    symbol,
    description: description ?? '',
    image,
    ...(website && { external_url: website }),
    ...(Object.keys(links).length > 0 && { extensions: links }),
  }
  return Buffer.from(JSON.stringify(document))
}
