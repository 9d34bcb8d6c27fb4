import { assetSignerAddress, identityAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/schema/address'
import type { AgentDelegates } from '@slipway/schema/agent-delegates'
import type { WalletToken } from '@slipway/schema/agent-wallet'
import type { AgentDocuments } from '../agents/agent-documents.ts'
import { type DelegatesParts, delegationIndex, readDelegates } from '../agents/delegates/read-delegates.ts'
import { readWallet } from '../agents/wallet/read-wallet.ts'
import { type AgentFacts, fetchAgentFacts } from '../chain/agent-facts.ts'
import { createHeavyReads, createHeldTokens } from '../chain/heavy-reads.ts'
import { fetchLaunchFacts, type LaunchFacts } from '../chain/launch-facts.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { type RefreshOutcome, refreshLaunch } from '../launches/registration/refresh-launch.ts'
import { formatSol, formatUnits } from '../lib/format-units.ts'
import { printable, type Style } from '../lib/terminal.ts'
import type { FailureReason } from '../metadata/fetched-document.ts'
import { type DisplayMetadata, parseDisplayMetadata } from '../metadata/formats/display-metadata.ts'
import { OperatorError } from '../operator-error.ts'
import { findAgent, type RememberedAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { findLaunch, type LaunchRecord } from '../store/read-launches.ts'
import { auditedChange } from './audit.ts'
import { type CommandContext, parseAddress } from './command-context.ts'
import { withStore } from './open-store.ts'
import { withChain, withDocuments } from './with-chain.ts'

/** Prints what the store, the chain and the document say about a launch, side by side. Each of them may be missing. */
export async function inspectLaunch(context: CommandContext): Promise<void> {
  const { config, network, output, operands } = context
  const address = parseAddress(operands[0], 'genesis address')
  await withStore(context, 'read', async ({ database }) => {
    const stored = await findLaunch(database, network, address)
    const { chain, error } = await tryChain(context, database, rpc => fetchLaunchFacts(rpc, address))
    const facts = chain?.facts
    const uri = facts?.token?.uri
    const document = uri ? await readDocument(context, database, uri) : undefined
    const failure = document?.ok === false ? document.failure : undefined
    const display = document?.ok ? parseDisplayMetadata(document.value, config.metadata) : undefined
    const fields = fieldsOf(stored, facts, display)
    const buckets = facts?.buckets ?? []
    const noDocument = failure ? `cannot be fetched from ${uri}: ${failure}` : facts ? 'none' : 'unknown'

    output.json({
      address,
      stored: stored ? pickStored(stored) : null,
      chain: chain
        ? { slot: chain.slot, finalized: facts ? facts.genesis.finalized : null }
        : { error: error.message },
      document: display ? { uri } : { error: noDocument },
      fields: fieldsToJson(fields),
      buckets: buckets.map(({ kind, address: bucket, creatorFee }) => ({
        address: bucket,
        kind,
        pays: creatorFee?.wallet ?? null,
      })),
    })
    const state = facts
      ? `${facts.genesis.finalized ? '' : 'not '}finalized, as of slot ${chain?.slot}`
      : `no launch at this address, as of slot ${chain?.slot}`
    printComparison(context, address, {
      facts: [
        `store: ${stored ? describeStored(stored) : 'not registered'}`,
        `chain: ${chain ? state : 'could not be read'}`,
        `document: ${display ? uri : noDocument}`,
      ],
      fields,
    })
    for (const { kind, address: bucket, creatorFee } of buckets)
      output.line(printable(`  bucket ${bucket} ${kind}${creatorFee ? `, pays ${creatorFee.wallet}` : ''}`))
    if (error) throw error
    if (!facts && !stored) throw new OperatorError(`There is no launch on ${network} at ${address}.`)
  })
}

type Reading<T> = { chain: T; error?: undefined } | { chain?: undefined; error: OperatorError }

/** The stored part is useful even if the chain cannot be reached. */
const tryChain = <T>(
  context: CommandContext,
  database: Database,
  read: (rpc: ChainRpc) => Promise<T>,
): Promise<Reading<T>> =>
  withChain(context, database, read).then(
    (chain): Reading<T> => ({ chain }),
    (error): Reading<T> => {
      if (error instanceof OperatorError) return { error }
      throw error
    },
  )

async function readDocument({ config }: CommandContext, database: Database, uri: string) {
  const result = await withDocuments(config, database, documents => documents.get(uri))
  if (result.ok) return { ok: true as const, bytes: result.bytes, value: result.value }
  const { reason, detail } = result
  return { ok: false as const, failure: `${REASONS[reason]}${detail ? ` (${detail})` : ''}` }
}

/** What is known on one line each, and then the fields that several sources have. */
function printComparison(
  { network, output }: CommandContext,
  address: Address,
  { facts, fields }: { facts: readonly string[]; fields: readonly Field[] },
): void {
  output.line(output.style('bold', `${address} on ${network}`))
  for (const line of facts) output.line(printable(line))
  output.line('')
  for (const line of fields.flatMap(field => formatField(field, output.style))) output.line(line)
}

const pickStored = ({ id, hidden, spotlight, slot, registeredAt, verifiedSocials }: LaunchRecord) => ({
  id,
  hidden,
  spotlight,
  slot,
  registeredAt,
  verifiedSocials,
})

function describeStored(stored: LaunchRecord): string {
  const { id, hidden, spotlight, slot, registeredAt, verifiedSocials } = stored
  return [
    `registered ${registeredAt.toISOString()} as ${id}, as of slot ${slot}`,
    ...(hidden ? ['HIDDEN'] : []),
    ...(spotlight ? ['in the spotlight'] : []),
    ...(verifiedSocials.length > 0 ? [`verified: ${verifiedSocials.join(', ')}`] : []),
  ].join(', ')
}

function fieldsOf(
  stored: LaunchRecord | undefined,
  facts: LaunchFacts | undefined,
  display: DisplayMetadata | undefined,
): Field[] {
  return [
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
}

const time = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1_000).toISOString()

/** Prints what the chain, the store and the document say about an agent, side by side. */
export async function inspectAgent(context: CommandContext): Promise<void> {
  const { network, output, operands } = context
  const address = parseAddress(operands[0], 'agent address')
  await withStore(context, 'read', async ({ database }) => {
    const remembered = await findAgent(database, network, address)
    const { chain, error } = await tryChain(context, database, rpc =>
      readAgentState(rpc, address, delegationIndex(database, network)),
    )
    const { row, verifiedAt, hiddenAt } = remembered
    const facts = chain?.facts
    const uri = facts?.agentUri ?? row?.agentUri
    const document = uri ? await readDocument(context, database, uri) : undefined
    const failure = document?.ok === false ? `cannot be fetched: ${document.failure}` : undefined
    const stored = documentsOf(remembered)?.registration
    const fields = FIELDS.map(
      (name): Field => [name, { store: row && (row[name] ?? null), chain: facts && (facts[name] ?? null) }],
    )
    const card = describeCard(remembered)
    output.json({
      address,
      wallet: assetSignerAddress(address),
      identity: identityAddress(address),
      chain: chain
        ? { slot: chain.slot, registered: !!facts, walletLamports: chain.walletLamports }
        : { error: error.message },
      tokens: chain?.tokens.map(({ known: _, ...token }) => token) ?? [],
      delegates: chain?.delegates ?? [],
      stored: row ? { slot: row.slot } : null,
      fields: fieldsToJson(fields),
      verifiedAt: verifiedAt ?? null,
      hiddenAt: hiddenAt ?? null,
      card,
      document: document?.ok
        ? { bytes: document.bytes, value: document.value }
        : failure
          ? { error: failure }
          : null,
      documentStored: stored?.value ?? null,
    })
    const state = facts ? 'registered' : 'no registered agent at this address'
    printComparison(context, address, {
      facts: [
        `wallet: ${assetSignerAddress(address)}${chain ? `, holds ${formatSol(chain.walletLamports)}` : ''}`,
        ...(chain ? describeHoldings(chain) : []),
        `identity: ${identityAddress(address)}`,
        `chain: ${chain ? `${state}, as of slot ${chain.slot}` : 'could not be read'}`,
        `store: ${row ? `as of slot ${row.slot}` : 'not stored'}`,
        `verified: ${verifiedAt?.toISOString() ?? 'no'}`,
        `hidden: ${hiddenAt?.toISOString() ?? 'no'}`,
        `card: ${card}`,
        `document now: ${document?.ok ? `${document.bytes} bytes` : (failure ?? 'none')}`,
        ...(document?.ok ? formatDocument(document.value) : []),
        `document stored: ${stored ? 'the fields that are used' : 'none'}`,
        ...(stored ? formatDocument(stored.value) : []),
      ],
      fields,
    })
    if (error) throw error
    if (!facts && !row)
      throw new OperatorError(`No agent is registered or stored on ${network} at ${address}.`)
  })
}

const FIELDS = ['owner', 'authority', 'name', 'uri', 'agentUri', 'agentToken', 'identityVersion'] as const

interface AgentState {
  slot: number
  facts: AgentFacts | undefined
  walletLamports: bigint
  tokens: WalletToken[]
  delegates: AgentDelegates['delegates']
}

async function readAgentState(
  rpc: ChainRpc,
  address: Address,
  index: Pick<DelegatesParts, 'findIndexed' | 'isIndexed'>,
): Promise<AgentState> {
  const { slot, facts } = await fetchAgentFacts(rpc, address)
  if (!facts) return { slot, facts, walletLamports: 0n, tokens: [], delegates: [] }
  const parts = { rpc, isKnown: async () => true }
  const heavyReads = createHeavyReads()
  const heldTokens = createHeldTokens({ rpc, heavyReads })
  const [{ wallet }, { delegates }] = await Promise.all([
    readWallet({ ...parts, heldTokens, isLaunched: () => false }, address, { client: 'operator' }),
    readDelegates({ ...parts, heavyReads, ...index }, address, 'operator'),
  ])
  return { slot, facts, walletLamports: BigInt(wallet.lamports), tokens: wallet.tokens, delegates }
}

/** The tokens in the wallet, and who can spend them besides the owner. */
const describeHoldings = ({ tokens, delegates }: AgentState): string[] => [
  ...tokens.map(
    ({ mint, amount, decimals, symbol, restriction }) =>
      `  ${formatUnits(BigInt(amount), decimals)} ${symbol || 'tokens'} (mint ${mint}${restriction ? `, ${restriction}` : ''})`,
  ),
  ...(delegates.length === 0 ? ['delegates: none, only the owner can spend'] : []),
  ...delegates.map(
    ({ wallet, since, byFormerOwner }) =>
      `delegate: ${wallet}${since ? `, since ${since}` : ''}${byFormerOwner ? ', appointed under a former owner' : ''}`,
  ),
]

const DOCUMENT_LINES_MAX = 60
const DOCUMENT_COLUMNS_MAX = 200

function formatDocument(value: unknown): string[] {
  const lines = JSON.stringify(value, null, 2).split('\n')
  const rest = lines.length - DOCUMENT_LINES_MAX
  return [
    ...lines.slice(0, DOCUMENT_LINES_MAX).map(shorten),
    ...(rest > 0 ? [`… ${rest} more lines; --json prints all`] : []),
  ].map(line => `  ${line}`)
}

const shorten = (line: string) =>
  line.length > DOCUMENT_COLUMNS_MAX ? `${line.slice(0, DOCUMENT_COLUMNS_MAX)}…` : line

const documentsOf = ({ row }: RememberedAgent) => row?.documents as AgentDocuments | undefined

function describeCard(remembered: RememberedAgent): string {
  const documents = documentsOf(remembered)
  if (remembered.authoredCard) return `authored, ${remembered.authoredCard.length} bytes`
  if (documents?.card) return 'authored, hosted with the document'
  return documents?.registration?.value.name ? 'built from the registration document' : 'none'
}

/** Undefined where a source doesn't have the field, or is missing itself. */
type Field = [name: string, values: { store?: Value; chain?: Value; document?: Value }]
type Value = string | number | null | undefined

const SHOWN_MAX = 300
const NAME_WIDTH = 18

/** One line if all sources agree; otherwise a mark, and a line for each value. */
function formatField([name, values]: Field, style: Style): string[] {
  const known = listKnown(values)
  if (known.every(([, value]) => !value)) return []
  const groups = groupByValue(known)
  return [...groups].map(([value, sources], at) => {
    const label = at > 0 ? '' : groups.size === 1 ? `  ${name}` : `≠ ${name}`
    const line = printable(`${label.padEnd(NAME_WIDTH)}${sources.join(', ')}: ${value}`)
    return groups.size === 1 ? line : style('yellow', line)
  })
}

/** The same fields by name, for `--json`. */
const fieldsToJson = (fields: readonly Field[]) =>
  Object.fromEntries(
    fields.map(([name, values]) => [
      name,
      { ...Object.fromEntries(listKnown(values)), differs: groupByValue(listKnown(values)).size > 1 },
    ]),
  )

const listKnown = (values: Field[1]) => Object.entries(values).filter(([, value]) => value !== undefined)

function groupByValue(known: [source: string, value: Value][]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [source, found] of known) {
    const value = `${found || '-'}`.slice(0, SHOWN_MAX)
    groups.set(value, [...(groups.get(value) ?? []), source])
  }
  return groups
}

/** Why a document cannot be fetched, in words. */
const REASONS: Record<FailureReason, string> = {
  'bad-uri': 'its URI is not valid',
  'private-address': 'its host has a private address, which METADATA_ALLOW_HOSTS does not list',
  unreachable: 'its host cannot be reached',
  timeout: 'its host did not answer in time',
  'http-status': 'its host answered with an error',
  'bad-redirect': 'its host redirected to a URL that cannot be used',
  'too-many-redirects': 'its host redirected too often',
  'too-large': 'it is too large',
  'bad-encoding': 'its encoding is not valid',
  'too-complex': 'its JSON is nested too deeply or has too many values',
  'not-json': 'it is not JSON',
  'not-an-object': 'it is not a JSON object',
  busy: 'too many documents are being fetched',
  stopped: 'the fetch was stopped',
}

const OUTCOMES: Record<RefreshOutcome, string> = {
  corrected: 'now matches the chain and its document',
  'corrected-without-document':
    'now matches the chain. Its document could not be fetched, so its image and description stay as they were.',
  'newer-is-stored': 'was not changed, because the store has a newer state than the RPC. Try again later.',
  'not-on-chain':
    'was not changed, because the chain has no launch with a named token there. Hide it if it is gone.',
}

const isCorrected = (outcome: RefreshOutcome) => outcome.startsWith('corrected')

/** Corrects a launch from the chain and its document. */
export async function refreshStoredLaunch(context: CommandContext): Promise<void> {
  const { config, network, output, operands } = context
  const address = parseAddress(operands[0], 'genesis address')
  await withStore(context, 'change', async ({ database }) => {
    const record = await findLaunch(database, network, address)
    if (!record) throw new OperatorError(`No launch is registered on ${network} at ${address}.`)
    const outcome = await withChain(context, database, chain =>
      withDocuments(config, database, documents =>
        auditedChange(
          database,
          { command: 'launch refresh', network, subject: address },
          tx => refreshLaunch({ database: tx, chain, documents, gateways: config.metadata }, record),
          isCorrected,
        ),
      ),
    )
    output.json({ address, outcome })
    const text = `${address} on ${network} ${OUTCOMES[outcome]}`
    if (!isCorrected(outcome)) throw new OperatorError(text)
    output.line(text)
  })
}
