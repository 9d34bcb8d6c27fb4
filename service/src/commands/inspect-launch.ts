import { fetchLaunchFacts, type LaunchFacts } from '../chain/launch-facts.ts'
import type { Config } from '../config.ts'
import { printable } from '../lib/terminal.ts'
import { type DisplayMetadata, parseDisplayMetadata } from '../metadata/formats/display-metadata.ts'
import { OperatorError } from '../operator-error.ts'
import type { Database } from '../store/database.ts'
import { findLaunch, type LaunchRecord } from '../store/read-launches.ts'
import { type CommandContext, parseAddress } from './command-context.ts'
import { type Field, fieldsToJson, formatField } from './compare-sources.ts'
import { describeDocumentFailure } from './describe-document-failure.ts'
import { withStore } from './open-store.ts'
import { withChain, withDocuments } from './with-chain.ts'

/** Prints what the store, the chain and the document say about a launch, side by side. Each of them may be missing. */
export async function inspectLaunch(context: CommandContext): Promise<void> {
  const { config, network, output, operands } = context
  const address = parseAddress(operands[0], 'genesis address')
  await withStore(context, 'read', async ({ database }) => {
    const stored = await findLaunch(database, network, address)
    const chain = await withChain(context, database, rpc => fetchLaunchFacts(rpc, address)).catch(error => {
      // The stored part is useful even if the chain cannot be reached.
      if (error instanceof OperatorError) return error
      throw error
    })
    const facts = chain instanceof OperatorError ? undefined : chain.facts
    const uri = facts?.token?.uri
    const document = uri ? await readDocument(config, database, uri) : facts ? 'none' : 'unknown'
    const fields = fieldsOf(stored, facts, typeof document === 'string' ? undefined : document)
    const buckets = facts?.buckets ?? []

    output.json({
      address,
      stored: stored ? pickStored(stored) : null,
      chain:
        chain instanceof OperatorError
          ? { error: chain.message }
          : { slot: chain.slot, finalized: facts ? facts.genesis.finalized : null },
      document: typeof document === 'string' ? { error: document } : { uri },
      fields: fieldsToJson(fields),
      buckets: buckets.map(({ kind, address: bucket, creatorFee }) => ({
        address: bucket,
        kind,
        pays: creatorFee?.wallet ?? null,
      })),
    })
    for (const line of [
      output.style('bold', `${address} on ${network}`),
      ...[
        `store: ${stored ? describeStored(stored) : 'not registered'}`,
        `chain: ${chain instanceof OperatorError ? 'could not be read' : facts ? `${facts.genesis.finalized ? '' : 'not '}finalized, as of slot ${chain.slot}` : `no launch at this address, as of slot ${chain.slot}`}`,
        `document: ${typeof document === 'string' ? document : uri}`,
      ].map(printable),
      '',
      ...fields.flatMap(field => formatField(field, output.style)),
      ...buckets.map(({ kind, address: bucket, creatorFee }) =>
        printable(`  bucket ${bucket} ${kind}${creatorFee ? `, pays ${creatorFee.wallet}` : ''}`),
      ),
    ])
      output.line(line)
    if (chain instanceof OperatorError) throw chain
    if (!facts && !stored) throw new OperatorError(`There is no launch on ${network} at ${address}.`)
  })
}

const pickStored = ({ id, hidden, spotlight, slot, registeredAt, verifiedSocials }: LaunchRecord) => ({
  id,
  hidden,
  spotlight,
  slot,
  registeredAt,
  verifiedSocials,
})

function describeStored({
  id,
  hidden,
  spotlight,
  slot,
  registeredAt,
  verifiedSocials,
}: LaunchRecord): string {
  return [
    `registered ${registeredAt.toISOString()} as ${id}, as of slot ${slot}`,
    ...(hidden ? ['HIDDEN'] : []),
    ...(spotlight ? ['in the spotlight'] : []),
    ...(verifiedSocials.length > 0 ? [`verified: ${verifiedSocials.join(', ')}`] : []),
  ].join(', ')
}

async function readDocument(
  config: Config,
  database: Database,
  uri: string,
): Promise<DisplayMetadata | string> {
  const result = await withDocuments(config, database, documents => documents.get(uri))
  if (result.ok) return parseDisplayMetadata(result.value, config.metadata)
  return `cannot be fetched from ${uri}: ${describeDocumentFailure(result)}`
}

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
