import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { AgentDocuments } from '../agents/agent-documents.ts'
import { createOwnDocuments } from '../agents/own-documents.ts'
import { assetSignerAddress, identityAddress } from '../chain/addresses/addresses.ts'
import { type AgentFacts, fetchAgentFacts } from '../chain/agent-facts.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { findAgent, type RememberedAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { printable } from './arguments.ts'
import { withChain, withDocuments } from './with-chain.ts'

/** Prints what the chain, the store and the document say about an agent, side by side. */
export async function inspectAgent(
  config: Config,
  database: Database,
  network: Network,
  address: Address,
): Promise<void> {
  const remembered = await findAgent(database, network, address)
  const chain = await withChain(config, database, network, rpc => readChain(rpc, address)).catch(error => {
    // The stored part is useful even if the chain cannot be reached.
    if (error instanceof OperatorError) return error.message
    throw error
  })
  const uri = (typeof chain === 'string' ? undefined : chain.facts?.agentUri) ?? remembered.row?.agentUri
  const document = uri ? await readDocument(config, database, uri) : 'none'
  process.stdout.write(report(network, address, { chain, remembered, document }))
}

interface ChainState {
  slot: number
  facts: AgentFacts | undefined
  walletLamports: bigint
}

async function readChain(rpc: ChainRpc, address: Address): Promise<ChainState> {
  const [{ slot, facts }, { accounts }] = await Promise.all([
    fetchAgentFacts(rpc, address),
    rpc.fetchAccounts([assetSignerAddress(address)]),
  ])
  const [wallet] = accounts
  return { slot, facts, walletLamports: wallet?.exists ? wallet.lamports : 0n }
}

async function readDocument(config: Config, database: Database, uri: string): Promise<string> {
  const own = createOwnDocuments(database, config)
  const result = await withDocuments(config, documents => documents.get(uri), own)
  if (result.ok) return `${result.bytes} bytes, ${JSON.stringify(result.value).slice(0, 400)}`
  return `cannot be fetched: ${result.reason}${result.detail ? ` (${result.detail})` : ''}`
}

const FIELDS = ['owner', 'authority', 'name', 'uri', 'agentUri', 'agentToken', 'identityVersion'] as const

function report(
  network: Network,
  address: Address,
  {
    chain,
    remembered,
    document,
  }: { chain: ChainState | string; remembered: RememberedAgent; document: string },
): string {
  const { row, verifiedAt, authoredCard, hiddenAt } = remembered
  const facts = typeof chain === 'string' ? undefined : chain.facts
  const documents = row?.documents as AgentDocuments | undefined
  const lines = [
    `${address} on ${network}`,
    `  wallet    ${assetSignerAddress(address)}`,
    `  identity  ${identityAddress(address)}`,
    '',
    typeof chain === 'string'
      ? `chain: ${chain}`
      : facts
        ? `chain: registered, as of slot ${chain.slot}; the wallet holds ${chain.walletLamports} lamports`
        : `chain: no registered agent at this address, as of slot ${chain.slot}`,
    row ? `store: as of slot ${row.slot}` : 'store: not stored',
    '',
    ...FIELDS.flatMap(field => {
      const [onChain, stored] = [facts?.[field], row?.[field]]
      if (onChain === undefined && stored === undefined) return []
      const mark = facts && row && onChain !== stored ? '≠' : ' '
      return [
        `${mark} ${field}`,
        ...(facts ? [`    chain  ${onChain ?? '-'}`] : []),
        ...(row && (mark === '≠' || !facts) ? [`    store  ${stored ?? '-'}`] : []),
      ]
    }),
    '',
    `verified: ${verifiedAt?.toISOString() ?? 'no'}`,
    `hidden: ${hiddenAt?.toISOString() ?? 'no'}`,
    `card: ${authoredCard ? `authored, ${authoredCard.length} bytes` : documents?.card ? 'authored, hosted with the document' : documents?.registration?.value.name ? 'built from the registration document' : 'none'}`,
    `document now: ${document}`,
    `document stored: ${documents?.registration ? JSON.stringify(documents.registration.value).slice(0, 400) : 'none'}`,
  ]
  return `${lines.map(printable).join('\n')}\n`
}
