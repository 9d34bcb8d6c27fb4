import type { Address } from '@solana/kit'
import type { Keypair } from '../ledger/keypair.ts'
import type { AgentEntry } from './agent-catalogue.ts'
import { agentMaker, agentWallet } from './create-agent.ts'
import { assetUri, registrationUri } from './documents.ts'
import { worldKey } from './keys.ts'
import { createWorldLaunch, type WorldContext, type WorldLaunch } from './world-launch.ts'

export type WorldAgent = {
  readonly address: Address
  readonly owner: Keypair
  readonly wallet: Address
  readonly fundedLamports: bigint
  /** Mint of the agent's token. */
  readonly token?: Address
  readonly entry: AgentEntry
}

const LAMPORTS_PER_SOL = 1_000_000_000n

/** What an agent of the demo is, whether or not it exists yet. */
export function describeAgent(
  { chain }: Pick<WorldContext, 'chain'>,
  entry: AgentEntry,
  launches: readonly WorldLaunch[],
): WorldAgent {
  const { address } = worldKey(chain, `agent:${entry.slug}`)
  const token = launches.find(({ entry: { slug } }) => slug === entry.token)
  return {
    address,
    owner: worldKey(chain, `${entry.soldOn ? 'buyer' : 'owner'}:${entry.slug}`),
    wallet: agentWallet(address),
    fundedLamports: BigInt(Math.round(entry.fundsSol * 1_000)) * (LAMPORTS_PER_SOL / 1_000n),
    ...(token && { token: token.mint }),
    entry,
  }
}

/** Creates an agent of the demo, with the launch of its token. Every step is skipped if it was already done. */
export async function createWorldAgent(
  context: WorldContext,
  { entry, wallet, fundedLamports, token: mint }: WorldAgent,
  launches: readonly WorldLaunch[],
): Promise<void> {
  const { chain, maker, documentsUrl, fund } = context
  const asset = worldKey(chain, `agent:${entry.slug}`)
  const first = worldKey(chain, `owner:${entry.slug}`)
  const buyer = worldKey(chain, `buyer:${entry.slug}`)
  const token = launches.find(launch => launch.mint === mint)
  // Each step below checks whether it is already done. This marker skips them all, so that a wallet that was emptied
  // is not refilled.
  const marker = worldKey(chain, `agent-done:${entry.slug}`).address
  if (chain.account(marker)) return
  const by = agentMaker(chain, first, maker)
  fund(first.address, 5n * LAMPORTS_PER_SOL)
  if (entry.soldOn) fund(buyer.address, 5n * LAMPORTS_PER_SOL)

  const collection = entry.inCollection ? worldKey(chain, 'collection:crew') : undefined
  if (collection && !chain.account(collection.address)) {
    await by.createCollection(collection, 'Harbour Crew', `${documentsUrl}/collections/crew.json`)
  }
  if (!chain.account(asset.address)) {
    await by.create(asset, {
      name: entry.name,
      uri: assetUri(documentsUrl, entry),
      collection: collection?.address,
    })
  }
  if (entry.identity !== 'none' && !chain.account(by.identityOf(asset.address))) {
    await by.register(asset.address, registrationUri(documentsUrl, entry), collection?.address)
  }
  if (entry.identity === 1 && by.identityVersion(asset.address) !== 1) by.downgradeIdentity(asset.address)
  if (token && !by.hasToken(asset.address)) {
    createWorldLaunch(context, token, {
      owner: first,
      run: instruction => by.asAgent(asset.address, instruction, collection?.address),
    })
    await by.setToken(asset.address, { genesis: token.genesisAddress, mint: token.mint }, collection?.address)
  }
  if (fundedLamports > 0n) fund(wallet, fundedLamports)
  if (entry.soldOn && by.ownerOf(asset.address) === first.address) {
    await by.transfer(asset.address, buyer.address, collection?.address)
  }
  if (entry.burnt && by.ownerOf(asset.address) !== undefined)
    await by.burn(asset.address, collection?.address)
  fund(marker, 1_000_000n)
}
