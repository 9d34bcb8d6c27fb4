import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { fetchLaunchFacts, type LaunchFacts } from '../chain/launch-facts.ts'
import type { Config } from '../config.ts'
import { type DisplayMetadata, parseDisplayMetadata } from '../metadata/documents/display-metadata.ts'
import { OperatorError } from '../operator-error.ts'
import type { Database } from '../store/database.ts'
import { findLaunch, type LaunchRecord } from '../store/launches.ts'
import { printable } from './arguments.ts'
import { withChain, withDocuments } from './with-chain.ts'

/** Prints what the store, the chain and the document say about a launch, side by side. Each of them may be missing. */
export async function inspectLaunch(
  config: Config,
  database: Database,
  network: Network,
  address: Address,
): Promise<void> {
  const stored = await findLaunch(database, network, address)
  const chain = await withChain(config, database, network, rpc => fetchLaunchFacts(rpc, address)).catch(
    error => {
      // The stored part is useful even if the chain cannot be reached.
      if (error instanceof OperatorError) return error.message
      throw error
    },
  )
  const facts = typeof chain === 'string' ? undefined : chain.facts
  const uri = facts?.token?.uri
  const document = uri ? await readDocument(config, uri) : 'none'
  const lines = [
    `${address} on ${network}`,
    `store: ${stored ? aboutStored(stored) : 'not registered'}`,
    `chain: ${typeof chain === 'string' ? chain : facts ? `${facts.genesis.finalized ? '' : 'not '}finalized, as of slot ${chain.slot}` : `no launch at this address, as of slot ${chain.slot}`}`,
    `document: ${typeof document === 'string' ? document : uri}`,
    '',
    ...fieldsOf(stored, facts, typeof document === 'string' ? undefined : document).flatMap(printField),
    ...(facts?.buckets ?? []).map(
      ({ kind, address: bucket, creatorFee }) =>
        `  bucket ${bucket} ${kind}${creatorFee ? `, pays ${creatorFee.wallet}` : ''}`,
    ),
  ]
  process.stdout.write(`${lines.map(printable).join('\n')}\n`)
}

function aboutStored({ id, hidden, spotlight, slot, registeredAt, verifiedSocials }: LaunchRecord): string {
  return [
    `registered ${registeredAt.toISOString()} as ${id}, as of slot ${slot}`,
    ...(hidden ? ['HIDDEN'] : []),
    ...(spotlight ? ['in the spotlight'] : []),
    ...(verifiedSocials.length > 0 ? [`verified: ${verifiedSocials.join(', ')}`] : []),
  ].join(', ')
}

async function readDocument(config: Config, uri: string): Promise<DisplayMetadata | string> {
  const result = await withDocuments(config, documents => documents.get(uri))
  if (result.ok) return parseDisplayMetadata(result.value, config.metadata)
  return `cannot be fetched from ${uri}: ${result.reason}${result.detail ? ` (${result.detail})` : ''}`
}

/** Undefined where a source doesn't have the field, or is missing itself. */
type Field = [name: string, values: { store?: Value; chain?: Value; document?: Value }]
type Value = string | null | undefined

function fieldsOf(
  stored: LaunchRecord | undefined,
  facts: LaunchFacts | undefined,
  display: DisplayMetadata | undefined,
): Field[] {
  const fields: Field[] = [
    ['mint', { store: stored?.mint, chain: facts?.genesis.baseMint }],
    [
      'name',
      { store: stored?.token.name, chain: facts && (facts.token?.name ?? null), document: display?.name },
    ],
    ['symbol', { store: stored?.token.symbol, chain: facts && (facts.token?.symbol ?? null) }],
    ['image', { store: stored?.token.image, document: display && (display.image ?? null) }],
    ['description', { store: stored?.token.description, document: display && (display.description ?? null) }],
    ['mechanic', { store: stored?.mechanic, chain: facts && (facts.times?.mechanic ?? null) }],
    ['startTime', { store: stored?.startsAt.toISOString(), chain: time(facts?.times?.startTime) }],
    ['endTime', { store: stored?.endsAt.toISOString(), chain: time(facts?.times?.endTime) }],
    [
      'graduated',
      {
        store: stored && `${stored.graduatedAt !== null}`,
        chain: facts && `${facts.times?.graduated ?? false}`,
      },
    ],
    ['graduatedAt', { store: stored?.graduatedAt?.toISOString() }],
    ['lastActivityAt', { store: stored?.lastActivityAt.toISOString() }],
    ['authority', { chain: facts?.genesis.authority }],
    ['agent', { store: stored?.agent }],
    ['website', { store: stored?.website }],
    ['socials', { store: stored && Object.values(stored.socials).join(' ') }],
    ['heroUrl', { store: stored?.heroUrl }],
  ]
  return fields
}

const time = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1_000).toISOString()

const SHOWN_MAX = 300

/** One line if all sources agree; otherwise a mark, and a line for each value. */
function printField([name, values]: Field): string[] {
  const known = Object.entries(values).filter(([, value]) => value !== undefined)
  if (known.every(([, value]) => !value)) return []
  const sources = groupByValue(known)
  const isOne = sources.size === 1
  return [...sources].map(([value, names], at) => {
    const label = at === 0 ? `${isOne ? ' ' : '≠'} ${name}` : ''
    return `${label.padEnd(18)}${names.join(', ')}: ${value}`
  })
}

function groupByValue(known: [source: string, value: Value][]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [source, found] of known) {
    const value = (found || '-').slice(0, SHOWN_MAX)
    groups.set(value, [...(groups.get(value) ?? []), source])
  }
  return groups
}
