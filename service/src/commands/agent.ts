import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { AgentDocuments } from '../agents/agent-documents.ts'
import { createOwnCards } from '../agents/own-cards.ts'
import { assetSignerAddress, identityAddress } from '../chain/addresses/addresses.ts'
import { type AgentFacts, fetchAgentFacts } from '../chain/agent-facts.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import type { Config } from '../config.ts'
import { createDocuments } from '../metadata/documents.ts'
import { createSafeFetch } from '../metadata/fetch/safe-fetch.ts'
import { OperatorError } from '../operator-error.ts'
import { findAgent, type RememberedAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { assertAddress, printable, readArguments } from './arguments.ts'
import { allowedHosts, withChain } from './with-chain.ts'
import { withStore } from './with-store.ts'

/** What chain, store and document say of an agent, side by side. */
export async function agent(args: string[], config: Config): Promise<void> {
  const { positionals, network } = readArguments(args)
  const [action, text, ...rest] = positionals
  if (action !== 'inspect' || rest.length > 0) throw new OperatorError('agent needs: inspect <address>')
  const address = assertAddress(text, 'the address of an agent')
  await withStore(config, async database => {
    const remembered = await findAgent(database, network, address)
    const said = await withChain(config, database, network, rpc => readChain(rpc, address)).catch(error => {
      // What is stored is worth seeing although the chain is out of reach.
      if (error instanceof OperatorError) return error.message
      throw error
    })
    const uri = (typeof said === 'string' ? undefined : said.facts?.agentUri) ?? remembered.row?.agentUri
    const document = uri ? await readDocument(config, database, uri) : 'none is named'
    process.stdout.write(report(network, address, { said, remembered, document }))
  })
}

interface ChainSays {
  slot: number
  facts: AgentFacts | undefined
  walletLamports: bigint
}

async function readChain(rpc: ChainRpc, address: Address): Promise<ChainSays> {
  const [{ slot, facts }, { accounts }] = await Promise.all([
    fetchAgentFacts(rpc, address),
    rpc.fetchAccounts([assetSignerAddress(address)]),
  ])
  const [wallet] = accounts
  return { slot, facts, walletLamports: wallet?.exists ? wallet.lamports : 0n }
}

async function readDocument(config: Config, database: Database, uri: string): Promise<string> {
  const own = createOwnCards(database, config.publicUrl)
  const fetcher = createSafeFetch({ allowHosts: allowedHosts(config), own })
  try {
    const result = await createDocuments({ ...config.metadata, fetch: fetcher.fetch, own }).get(uri)
    if (result.ok) return `${result.bytes} bytes, ${JSON.stringify(result.value).slice(0, 400)}`
    return `cannot be had: ${result.reason}${result.detail ? ` (${result.detail})` : ''}`
  } finally {
    await fetcher.close()
  }
}

const FIELDS = ['owner', 'authority', 'name', 'uri', 'agentUri', 'agentToken', 'identityVersion'] as const

function report(
  network: Network,
  address: Address,
  { said, remembered, document }: { said: ChainSays | string; remembered: RememberedAgent; document: string },
): string {
  const { row, verifiedAt, authoredCard } = remembered
  const facts = typeof said === 'string' ? undefined : said.facts
  const documents = row?.documents as AgentDocuments | undefined
  const lines = [
    `${address} on ${network}`,
    `  wallet    ${assetSignerAddress(address)}`,
    `  identity  ${identityAddress(address)}`,
    '',
    typeof said === 'string'
      ? `chain: ${said}`
      : facts
        ? `chain: registered, as of slot ${said.slot}; the wallet holds ${said.walletLamports}`
        : `chain: no registered agent stands there, as of slot ${said.slot}`,
    row ? `store: as of slot ${row.slot}` : 'store: nothing is remembered of it',
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
    `card: ${authoredCard ? `authored, ${authoredCard.length} bytes` : documents?.registration?.value.name ? 'made from the registration' : 'none'}`,
    `document now: ${document}`,
    `document kept: ${documents?.registration ? JSON.stringify(documents.registration.value).slice(0, 400) : 'none'}`,
  ]
  return `${lines.map(printable).join('\n')}\n`
}
