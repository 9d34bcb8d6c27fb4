import { assetSignerAddress, identityAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/schema/address'
import type { AgentDelegates } from '@slipway/schema/agent-delegates'
import type { WalletToken } from '@slipway/schema/agent-wallet'
import type { AgentDocuments } from '../agents/agent-documents.ts'
import { type DelegatesParts, delegationIndex, readDelegates } from '../agents/delegates/read-delegates.ts'
import { readWallet } from '../agents/wallet/read-wallet.ts'
import { type AgentFacts, fetchAgentFacts } from '../chain/agent-facts.ts'
import { createHeavyReads, createHeldTokens } from '../chain/heavy-reads.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import type { Config } from '../config.ts'
import { formatSol, formatUnits } from '../lib/format-units.ts'
import { printable } from '../lib/terminal.ts'
import { OperatorError } from '../operator-error.ts'
import { findAgent, type RememberedAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { type CommandContext, parseAddress } from './command-context.ts'
import { type Field, fieldsToJson, formatField } from './compare-sources.ts'
import { describeDocumentFailure } from './describe-document-failure.ts'
import { withStore } from './open-store.ts'
import { withChain, withDocuments } from './with-chain.ts'

/** Prints what the chain, the store and the document say about an agent, side by side. */
export async function inspectAgent(context: CommandContext): Promise<void> {
  const { network, output, operands } = context
  const address = parseAddress(operands[0], 'agent address')
  await withStore(context, 'read', async ({ database }) => {
    const remembered = await findAgent(database, network, address)
    const chain = await withChain(context, database, rpc =>
      readChain(rpc, address, delegationIndex(database, network)),
    ).catch(error => {
      // The stored part is useful even if the chain cannot be reached.
      if (error instanceof OperatorError) return error
      throw error
    })
    const facts = chain instanceof OperatorError ? undefined : chain.facts
    const uri = facts?.agentUri ?? remembered.row?.agentUri
    const found = {
      address,
      chain,
      remembered,
      fields: listFields(facts, remembered),
      document: uri ? await readDocument(context.config, database, uri) : undefined,
    }
    output.json(toJson(found))
    for (const line of describe(found, context)) output.line(line)
    if (chain instanceof OperatorError) throw chain
    if (!facts && !remembered.row)
      throw new OperatorError(`No agent is registered or stored on ${network} at ${address}.`)
  })
}

interface ChainState {
  slot: number
  facts: AgentFacts | undefined
  walletLamports: bigint
  tokens: WalletToken[]
  delegates: AgentDelegates['delegates']
}

async function readChain(
  rpc: ChainRpc,
  address: Address,
  index: Pick<DelegatesParts, 'findIndexed' | 'isIndexed'>,
): Promise<ChainState> {
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

type Document = { bytes: number; value: unknown } | { error: string }

async function readDocument(config: Config, database: Database, uri: string): Promise<Document> {
  const result = await withDocuments(config, database, documents => documents.get(uri))
  if (result.ok) return { bytes: result.bytes, value: result.value }
  return { error: `cannot be fetched: ${describeDocumentFailure(result)}` }
}

const FIELDS = ['owner', 'authority', 'name', 'uri', 'agentUri', 'agentToken', 'identityVersion'] as const

const listFields = (facts: AgentFacts | undefined, { row }: RememberedAgent): Field[] =>
  FIELDS.map(name => [name, { store: row && (row[name] ?? null), chain: facts && (facts[name] ?? null) }])

interface Found {
  address: Address
  /** The error says why the chain cannot be read. */
  chain: ChainState | OperatorError
  remembered: RememberedAgent
  fields: Field[]
  document: Document | undefined
}

function toJson({ address, chain, remembered, fields, document }: Found): object {
  const { row, verifiedAt, hiddenAt } = remembered
  return {
    address,
    wallet: assetSignerAddress(address),
    identity: identityAddress(address),
    chain:
      chain instanceof OperatorError
        ? { error: chain.message }
        : { slot: chain.slot, registered: !!chain.facts, walletLamports: chain.walletLamports },
    tokens: chain instanceof OperatorError ? [] : chain.tokens.map(({ known: _, ...token }) => token),
    delegates: chain instanceof OperatorError ? [] : chain.delegates,
    stored: row ? { slot: row.slot } : null,
    fields: fieldsToJson(fields),
    verifiedAt: verifiedAt ?? null,
    hiddenAt: hiddenAt ?? null,
    card: describeCard(remembered),
    document: document ?? null,
    documentStored: documentsOf(remembered)?.registration?.value ?? null,
  }
}

const DOCUMENT_LINES_MAX = 60
const DOCUMENT_COLUMNS_MAX = 200

function describe(
  { address, chain, remembered, fields, document }: Found,
  { network, output: { style } }: CommandContext,
): string[] {
  const { row, verifiedAt, hiddenAt } = remembered
  const stored = documentsOf(remembered)?.registration
  return [
    style('bold', `${address} on ${network}`),
    ...[
      `wallet: ${assetSignerAddress(address)}${chain instanceof OperatorError ? '' : `, holds ${formatSol(chain.walletLamports)}`}`,
      ...describeHoldings(chain),
      `identity: ${identityAddress(address)}`,
      `chain: ${describeChainState(chain)}`,
      `store: ${row ? `as of slot ${row.slot}` : 'not stored'}`,
      `verified: ${verifiedAt?.toISOString() ?? 'no'}`,
      `hidden: ${hiddenAt?.toISOString() ?? 'no'}`,
      `card: ${describeCard(remembered)}`,
      `document now: ${!document ? 'none' : 'error' in document ? document.error : `${document.bytes} bytes`}`,
      ...(document && 'value' in document ? formatDocument(document.value) : []),
      `document stored: ${stored ? 'the fields that are used' : 'none'}`,
      ...(stored ? formatDocument(stored.value) : []),
    ].map(printable),
    '',
    ...fields.flatMap(field => formatField(field, style)),
  ]
}

/** The tokens in the wallet, and who can spend them besides the owner. */
function describeHoldings(chain: ChainState | OperatorError): string[] {
  if (chain instanceof OperatorError) return []
  return [
    ...chain.tokens.map(
      ({ mint, amount, decimals, symbol, restriction }) =>
        `  ${formatUnits(BigInt(amount), decimals)} ${symbol || 'tokens'} (mint ${mint}${restriction ? `, ${restriction}` : ''})`,
    ),
    ...(chain.delegates.length === 0 ? ['delegates: none, only the owner can spend'] : []),
    ...chain.delegates.map(
      ({ wallet, since, byFormerOwner }) =>
        `delegate: ${wallet}${since ? `, since ${since}` : ''}${byFormerOwner ? ', appointed under a former owner' : ''}`,
    ),
  ]
}

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

function describeChainState(chain: ChainState | OperatorError): string {
  if (chain instanceof OperatorError) return 'could not be read'
  return `${chain.facts ? 'registered' : 'no registered agent at this address'}, as of slot ${chain.slot}`
}

const documentsOf = ({ row }: RememberedAgent) => row?.documents as AgentDocuments | undefined

function describeCard(remembered: RememberedAgent): string {
  const documents = documentsOf(remembered)
  if (remembered.authoredCard) return `authored, ${remembered.authoredCard.length} bytes`
  if (documents?.card) return 'authored, hosted with the document'
  return documents?.registration?.value.name ? 'built from the registration document' : 'none'
}
