import type { LaunchTimes } from '@slipway/launch-model/launch-times'
import type { Address } from '@slipway/schema/address'
import { cleanText } from '@slipway/schema/clean-text'
import { ServiceError } from '@slipway/schema/errors'
import { socialLinkOf } from '@slipway/schema/links'
import type { Network } from '@slipway/schema/network'
import { parseVerificationToken, type RegisterLaunchBody } from '@slipway/schema/registration'
import type { CheckedReader } from '../../chain/account-reader.ts'
import type { DecodedBucket } from '../../chain/accounts/bucket.ts'
import { fetchLastTransactionAt, type HistoryReader } from '../../chain/launch-facts.ts'
import { createDeadline, type Deadline, REQUEST_MS_MAX, resultWithin } from '../../lib/deadline.ts'
import type { FetchedDocuments } from '../../metadata/fetched-documents.ts'
import {
  DESCRIPTION_LENGTH_MAX,
  type DisplayMetadata,
  fetchDisplayMetadata,
  parseImageUrl,
} from '../../metadata/formats/display-metadata.ts'
import type { Gateways } from '../../metadata/parse-document-uri.ts'
import type { NewBucket } from '../../store/buckets.ts'
import type { Database } from '../../store/database.ts'
import type { NewLaunch } from '../../store/launches.ts'
import {
  findRegistration,
  type LaunchRows,
  type SocialProof,
  type StoredRegistration,
  saveProof,
  saveRegistration,
} from '../../store/registrations.ts'
import { checkOnChain, type ListableLaunch } from './check-on-chain.ts'
import { createMetadataRetry, type MissingMetadata } from './metadata-retry.ts'

/** The part of the request's time that is kept for storing the registration. */
const SAVE_MS = 800

export type LaunchChain = CheckedReader & HistoryReader

interface RegisterDependencies {
  database: Database
  documents: Pick<FetchedDocuments, 'get' | 'refresh'>
  gateways: Gateways
  /** Undefined for a network that this deployment does not serve. */
  chainOf(network: Network): LaunchChain | undefined
  /** Undefined for a verification token that is invalid or expired. */
  verifyToken(token: string): Promise<{ username: string; id: string; expiresAt: Date } | undefined>
  onMetadataMissing(token: MissingMetadata): void
  /** Records that the chain names the document, so that it is kept, if it was prepared here for this launch. */
  claimDocument(network: Network, genesisAddress: Address, uri: string): Promise<unknown>
}

export interface Registration {
  register(body: RegisterLaunchBody, deadline?: Deadline): Promise<StoredRegistration & { existing: boolean }>
  close(): void
}

/** For a registration without a request: demo launches are registered while everything else starts. */
const SEED_MS = 30_000

/** Registers launches. If a token's document can't be fetched in time, it is fetched and stored later. */
export function createRegistration({
  onFault,
  ...parts
}: Omit<RegisterDependencies, 'onMetadataMissing'> & { onFault(error: unknown): void }): Registration {
  const retry = createMetadataRetry({ ...parts, onFault })
  return {
    register: (body, deadline = createDeadline(SEED_MS)) =>
      registerLaunch({ ...parts, onMetadataMissing: retry.add }, body, deadline),
    close: retry.close,
  }
}

/**
 * Registers a launch as the chain has it. The first registration wins: a later one is checked in the same way and
 * changes nothing, except that it can prove the social handle that is already stored.
 */
async function registerLaunch(
  dependencies: RegisterDependencies,
  body: RegisterLaunchBody,
  deadline: Deadline,
): Promise<StoredRegistration & { existing: boolean }> {
  const { database, gateways } = dependencies
  const { network, genesisAccount: genesisAddress } = body
  const verification = parseVerificationToken(body)
  const chain = dependencies.chainOf(network)
  if (!verification || !chain) throw new ServiceError('INVALID_INPUT')
  const known = await findRegistration(database, { network, genesisAddress })
  const onChain = await checkOnChain(chain, body, { namedAgent: known?.agent ?? undefined, deadline })
  const proof = verification.token === undefined ? undefined : await verify(dependencies, verification.token)

  // Once the time is up, the caller has got a 503, so nothing may be stored.
  deadline.assertInTime()
  await dependencies.claimDocument(network, genesisAddress, onChain.facts.token.uri)
  if (known) {
    if (proof && !(await saveProof(database, { network, genesisAddress }, proof)))
      throw new ServiceError('INVALID_SOCIAL_TOKEN')
    const { launchId, tokenId, mint } = known
    return { launchId, tokenId, mint, existing: true }
  }
  const { token, times } = onChain.facts
  const waitMsMax = Math.max(1, Math.min(REQUEST_MS_MAX, deadline.remainingMs()) - SAVE_MS)
  const [metadata, graduatedAt] = await Promise.all([
    fetchDisplayMetadata(dependencies, token.uri, { network, waitMsMax }),
    times.graduated ? fetchGraduatedAt(chain, genesisAddress, database, waitMsMax) : undefined,
  ])
  deadline.assertInTime()
  const rows = buildRows(body, onChain, {
    metadata: metadata ?? {},
    graduatedAt,
    gateways,
    registeredAt: new Date(database.nowMs()),
  })
  const registered = await saveRegistration(database, rows, proof)
  if (!registered) throw new ServiceError('INVALID_SOCIAL_TOKEN')
  if (!metadata && !registered.existing)
    dependencies.onMetadataMissing({ network, mint: registered.mint, uri: token.uri })
  return registered
}

async function verify({ verifyToken }: RegisterDependencies, token: string): Promise<SocialProof> {
  const verified = await verifyToken(token)
  if (!verified) throw new ServiceError('INVALID_SOCIAL_TOKEN')
  const { username, id, expiresAt } = verified
  return { id, expiresAt, link: socialLinkOf(username) }
}

/** `initializeV2` with this funding mode creates the token; with the other, it takes tokens that exist. */
const CREATES_TOKEN = 0

function buildRows(
  { network, genesisAccount: genesisAddress, launch, agent }: RegisterLaunchBody,
  { slot, facts: { genesis, token, times, buckets } }: ListableLaunch,
  {
    metadata,
    graduatedAt,
    gateways,
    registeredAt,
  }: { metadata: DisplayMetadata; graduatedAt: Date | undefined; gateways: Gateways; registeredAt: Date },
): LaunchRows {
  const createdToken = genesis.fundingMode === CREATES_TOKEN
  // Anyone can launch an existing token again, and could say anything about it.
  const said = createdToken ? launch : { image: undefined, description: undefined }
  const { website = '', socials = {} } = launch.externalLinks ?? {}
  return {
    token: {
      network,
      mint: genesis.baseMint,
      name: token.name,
      symbol: token.symbol,
      image: metadata.image || parseImageUrl(said.image, gateways) || '',
      description: metadata.description || cleanText(said.description, DESCRIPTION_LENGTH_MAX) || '',
    },
    launch: {
      network,
      genesisAddress,
      mint: genesis.baseMint,
      ...timesToRow(times, { registeredAt, graduatedAt }),
      registeredAt,
      lastActivityAt: registeredAt,
      slot,
      heroUrl: launch.heroUrl ?? null,
      website,
      socials,
      agent: agent?.mint ?? null,
      createdToken,
    },
    buckets: bucketsToRows(network, slot, buckets),
  }
}

/** The chain does not record when a launch graduated; the time of its last transaction is the best estimate. */
export async function fetchGraduatedAt(
  chain: HistoryReader,
  genesisAddress: Address,
  { nowMs }: Pick<Database, 'nowMs'>,
  waitMsMax = REQUEST_MS_MAX,
): Promise<Date> {
  const now = new Date(nowMs())
  const at = await resultWithin(waitMsMax, fetchLastTransactionAt(chain, genesisAddress))
  return at && at < now ? at : now
}

/** The end of a launch that has none. */
const OPEN_END = new Date('9999-12-31T23:59:59.999Z')

/**
 * The times that listings show. Without a start on the chain, the registration's time is used; without an end, the
 * graduation's.
 */
export function timesToRow(
  { mechanic, startTime, endTime }: LaunchTimes,
  { registeredAt, graduatedAt }: { registeredAt: Date; graduatedAt: Date | undefined },
): Required<Pick<NewLaunch, 'mechanic' | 'startsAt' | 'endsAt' | 'graduatedAt'>> {
  return {
    mechanic,
    startsAt: startTime === undefined ? registeredAt : toDate(startTime),
    endsAt: endTime === undefined ? (graduatedAt ?? OPEN_END) : toDate(endTime),
    graduatedAt: graduatedAt ?? null,
  }
}

export function bucketsToRows(
  network: Network,
  slot: number,
  buckets: readonly DecodedBucket[],
): NewBucket[] {
  return buckets.map(({ address, genesis, kind, creatorFee }) => ({
    network,
    address,
    genesisAddress: genesis,
    kind,
    creatorFeeWallet: creatorFee?.wallet ?? null,
    slot,
  }))
}

const toDate = (seconds: number) => new Date(seconds * 1_000)
