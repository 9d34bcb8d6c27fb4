import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { socialLinkOf } from '@slipway/schema/links'
import type { Network } from '@slipway/schema/network'
import { type RegisterLaunchBody, tokenOf } from '@slipway/schema/registration'
import type { AccountReader } from '../chain/account-reader.ts'
import type { LaunchTimes } from '../chain/accounts/launch-times.ts'
import type { TokenName } from '../chain/accounts/token-metadata.ts'
import { fetchAgentFacts } from '../chain/agent-facts.ts'
import { fetchLastTransactionAt, type HistoryReader } from '../chain/last-transaction.ts'
import { fetchLaunchFacts, type LaunchFacts } from '../chain/launch-facts.ts'
import { cleanText } from '../metadata/documents/clean-text.ts'
import { DESCRIPTION_LENGTH_MAX } from '../metadata/documents/face.ts'
import { readImageUrl } from '../metadata/documents/image-url.ts'
import type { Database } from '../store/database.ts'
import {
  findRegistration,
  type LaunchRows,
  type Registration,
  type SocialProof,
  saveProof,
  saveRegistration,
} from '../store/registrations.ts'
import { isTiedToAgent } from './agent-tie.ts'
import { bucketsToRows, timesToRow } from './launch-rows.ts'
import { fetchTokenFace, type TokenDocuments } from './token-face.ts'

export type LaunchChain = AccountReader & HistoryReader

export interface RegistrationParts extends TokenDocuments {
  database: Database
  /** Undefined for a network that this deployment does not serve. */
  chainOf(network: Network): LaunchChain | undefined
  /** What a verification token says; undefined for one that does not count. */
  verifyToken(token: string): Promise<{ username: string; id: string; expiresAt: Date } | undefined>
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
  const agent = body.agent?.mint
  const [{ slot, facts }, agentFacts, known] = await Promise.all([
    fetchLaunchFacts(chain, genesisAddress),
    agent && fetchAgentFacts(chain, agent),
    findRegistration(parts.database, { network, genesisAddress }),
  ])
  assertOnChain(facts, body.launch)
  if (agent && !isTiedToAgent(facts, agent, agentFacts?.facts)) throw new ServiceError('LAUNCH_MISMATCH')
  const proof = given.token === undefined ? undefined : await readProof(parts, given.token)

  if (known) {
    if (proof && !(await saveProof(parts.database, { network, genesisAddress }, proof)))
      throw new ServiceError('INVALID_SOCIAL_TOKEN')
    return { ...known, existing: true }
  }
  const rows = await describeLaunch(parts, chain, { slot, facts, body })
  const registered = await saveRegistration(parts.database, rows, proof)
  if (!registered) throw new ServiceError('INVALID_SOCIAL_TOKEN')
  return registered
}

/** Facts of a launch that can be shown. */
export type ListableFacts = LaunchFacts & { token: TokenName; times: LaunchTimes }

function assertOnChain(
  facts: LaunchFacts | undefined,
  { name, symbol }: RegisterLaunchBody['launch'],
): asserts facts is ListableFacts {
  if (!facts) throw new ServiceError('GENESIS_NOT_FOUND')
  if (!facts.genesis.finalized) throw new ServiceError('LAUNCH_NOT_FINALIZED')
  const { token, times } = facts
  if (!token || !times || token.name !== name || token.symbol !== symbol)
    throw new ServiceError('LAUNCH_MISMATCH')
}

async function readProof({ verifyToken }: RegistrationParts, token: string): Promise<SocialProof> {
  const verification = await verifyToken(token)
  if (!verification) throw new ServiceError('INVALID_SOCIAL_TOKEN')
  const { username, id, expiresAt } = verification
  return { id, expiresAt, link: socialLinkOf(username) }
}

async function describeLaunch(
  { documents, gateways }: TokenDocuments,
  chain: LaunchChain,
  { slot, facts, body }: { slot: number; facts: ListableFacts; body: RegisterLaunchBody },
): Promise<LaunchRows> {
  const { network, genesisAccount: genesisAddress, launch, agent } = body
  const { genesis, token, times, buckets } = facts
  const [face, graduatedAt] = await Promise.all([
    fetchTokenFace({ documents, gateways }, token.uri),
    times.graduated ? fetchGraduatedAt(chain, genesisAddress) : undefined,
  ])
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
