import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { socialLinkOf } from '@slipway/schema/links'
import type { Network } from '@slipway/schema/network'
import { type RegisterLaunchBody, tokenOf } from '@slipway/schema/registration'
import type { CheckedReader } from '../chain/account-reader.ts'
import { fetchLastTransactionAt, type HistoryReader } from '../chain/last-transaction.ts'
import { cleanText } from '../metadata/documents/clean-text.ts'
import { DESCRIPTION_LENGTH_MAX, type Face } from '../metadata/documents/face.ts'
import { readImageUrl } from '../metadata/documents/image-url.ts'
import type { Gateways } from '../metadata/parse-document-uri.ts'
import type { Database } from '../store/database.ts'
import {
  findRegistration,
  type LaunchRows,
  type Registration,
  type SocialProof,
  saveProof,
  saveRegistration,
} from '../store/registrations.ts'
import { bucketsToRows, timesToRow } from './launch-rows.ts'
import { type SeenLaunch, seeOnChain } from './see-on-chain.ts'
import { fetchTokenFace, type TokenDocuments } from './token-face.ts'

export type LaunchChain = CheckedReader & HistoryReader

export interface RegistrationParts extends TokenDocuments {
  database: Database
  /** Undefined for a network that this deployment does not serve. */
  chainOf(network: Network): LaunchChain | undefined
  /** What a verification token says; undefined for one that does not count. */
  verifyToken(token: string): Promise<{ username: string; id: string; expiresAt: Date } | undefined>
  /** A token was registered before its document could be had. */
  onFaceMissing(face: { network: Network; mint: Address; uri: string }): void
}

/**
 * Registers a launch as the chain has it. The first registration stands: a later one is checked just the same and
 * changes nothing, but for a proof of the handle that is already stored.
 */
export async function registerLaunch(
  parts: RegistrationParts,
  body: RegisterLaunchBody,
): Promise<Registration & { existing: boolean }> {
  const { network, genesisAccount: genesisAddress } = body
  const given = tokenOf(body)
  const chain = parts.chainOf(network)
  if (!given || !chain) throw new ServiceError('INVALID_INPUT')
  const [seen, known] = await Promise.all([
    seeOnChain(chain, body),
    findRegistration(parts.database, { network, genesisAddress }),
  ])
  const proof = given.token === undefined ? undefined : await readProof(parts, given.token)

  if (known) {
    if (proof && !(await saveProof(parts.database, { network, genesisAddress }, proof)))
      throw new ServiceError('INVALID_SOCIAL_TOKEN')
    return { ...known, existing: true }
  }
  const { token, times } = seen.facts
  const [face, graduatedAt] = await Promise.all([
    fetchTokenFace(parts, token.uri),
    times.graduated ? fetchGraduatedAt(chain, genesisAddress) : undefined,
  ])
  const rows = describeLaunch(body, seen, { face: face ?? {}, graduatedAt, gateways: parts.gateways })
  const registered = await saveRegistration(parts.database, rows, proof)
  if (!registered) throw new ServiceError('INVALID_SOCIAL_TOKEN')
  if (!face && !registered.existing) parts.onFaceMissing({ network, mint: registered.mint, uri: token.uri })
  return registered
}

async function readProof({ verifyToken }: RegistrationParts, token: string): Promise<SocialProof> {
  const verification = await verifyToken(token)
  if (!verification) throw new ServiceError('INVALID_SOCIAL_TOKEN')
  const { username, id, expiresAt } = verification
  return { id, expiresAt, link: socialLinkOf(username) }
}

function describeLaunch(
  { network, genesisAccount: genesisAddress, launch, agent }: RegisterLaunchBody,
  { slot, facts: { genesis, token, times, buckets } }: SeenLaunch,
  { face, graduatedAt, gateways }: { face: Face; graduatedAt: Date | undefined; gateways: Gateways },
): LaunchRows {
  const registeredAt = new Date()
  const { website = '', socials = {} } = launch.externalLinks ?? {}
  return {
    token: {
      network,
      mint: genesis.baseMint,
      name: token.name,
      symbol: token.symbol,
      image: face.image || readImageUrl(launch.image, gateways) || '',
      description: face.description || cleanText(launch.description, DESCRIPTION_LENGTH_MAX) || '',
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
    },
    buckets: bucketsToRows(network, slot, buckets),
  }
}

/** Nobody was looking when it happened: the last thing that happened to the launch is the nearest that is known. */
export async function fetchGraduatedAt(chain: HistoryReader, genesisAddress: Address): Promise<Date> {
  const now = new Date()
  const at = await fetchLastTransactionAt(chain, genesisAddress)
  return at && at < now ? at : now
}
