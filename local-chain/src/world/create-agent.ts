import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  findAgentIdentityV2Pda,
  getAgentIdentityV1AccountDataSerializer,
  getAgentIdentityV2AccountDataSerializer,
  registerIdentityV1,
  setAgentTokenV1,
} from '@metaplex-foundation/mpl-agent-registry'
import {
  burnV1,
  createCollectionV2,
  createV2,
  executeV1,
  findAssetSignerPda,
  transferV1,
} from '@metaplex-foundation/mpl-core'
import { createNoopSigner, type PublicKey, type TransactionBuilder } from '@metaplex-foundation/umi'
import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@solana/kit'
import type { Chain } from '../ledger/create-chain.ts'
import type { Execution } from '../ledger/execution.ts'
import { createTransaction, type Keypair } from '../ledger/keypair.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { decodeAsset } from '../programs/core/layout.ts'
import { asKey } from '../programs/genesis/checks.ts'
import { IDENTITY } from '../programs/identity/identity.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { umi as context } from '../programs/umi-context.ts'
import type { AgentEntry } from './catalogue.ts'
import { assetUri, registrationUri } from './documents.ts'
import { worldKey } from './keys.ts'
import { submit } from './submit.ts'
import type { WorldContext, WorldLaunch } from './world-launch.ts'

export type WorldAgent = {
  readonly address: Address
  readonly owner: Keypair
  readonly wallet: Address
  readonly fundedLamports: bigint
  /** Mint of the agent's token. */
  readonly token?: Address
  readonly entry: AgentEntry
}

/** Creates a launch with what an agent makes of its instructions. False if the installed program can't. */
export type CreateLaunch = (
  launch: WorldLaunch,
  asAgent?: (instruction: Instruction) => Instruction,
) => boolean

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
    wallet: assetSignerAddress(address),
    fundedLamports: BigInt(Math.round(entry.fundsSol * 1_000)) * (LAMPORTS_PER_SOL / 1_000n),
    ...(token && { token: token.mint }),
    entry,
  }
}

/** Creates an agent of the demo, with the launch of its token. Every step is skipped if it was already done. */
export async function createWorldAgent(
  context: WorldContext,
  { entry, wallet, fundedLamports, token: mint }: WorldAgent,
  { launches, create }: { launches: readonly WorldLaunch[]; create: CreateLaunch },
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
    const exists = create(token, instruction => by.asAgent(asset.address, instruction, collection?.address))
    if (exists) await by.setToken(asset.address, token.genesisAddress, collection?.address)
  }
  if (fundedLamports > 0n) fund(wallet, fundedLamports)
  if (entry.soldOn && by.ownerOf(asset.address) === first.address) {
    await by.transfer(asset.address, buyer.address, collection?.address)
  }
  if (entry.burnt && by.ownerOf(asset.address) !== undefined)
    await by.burn(asset.address, collection?.address)
  fund(marker, 1_000_000n)
}

const VERSION_1 = 1

const signerAt = (address: Address) => createNoopSigner(asKey(address))

export const toInstructions = (builder: TransactionBuilder): Instruction[] =>
  builder.getInstructions().map(({ programId, keys, data }) => ({
    program: programId as string as Address,
    accounts: keys.map(({ pubkey, ...flags }) => ({ address: pubkey as string as Address, ...flags })),
    data,
  }))

/** Creates agents with ordinary signed transactions. */
export function agentMaker(chain: Chain, maker: Keypair, collectionAuthority: Keypair) {
  const payer = signerAt(maker.address)
  const umi = { ...context, payer, identity: payer }

  /** Adding an asset to a collection and registering one of its assets need the collection's authority. */
  const inCollection = (collection: Address | undefined) =>
    collection && { collection: asKey(collection), authority: signerAt(collectionAuthority.address) }

  /** The created account signs too. */
  async function sendInstructions(
    instructions: readonly Instruction[],
    ...created: Keypair[]
  ): Promise<Execution> {
    await nextTurn()
    const blockhash = chain.clock.blockhash(chain.clock.slot())
    const signers = [maker, collectionAuthority, ...created] as const
    return chain.submit(createTransaction(signers, instructions, blockhash))
  }

  async function land(builder: TransactionBuilder, ...created: Keypair[]): Promise<void> {
    const { err, logs } = await sendInstructions(toInstructions(builder), ...created)
    if (err !== null)
      throw new Error(`creating a demo agent failed: ${JSON.stringify(err)}\n${logs.join('\n')}`)
  }

  /** Runs an instruction as the agent: its wallet counts as a signer. The agent's owner pays. */
  function asAgent(asset: Address, instruction: Instruction, collection?: Address): Instruction {
    const [wallet] = findAssetSignerPda(umi, { asset: asKey(asset) })
    const [executed] = toInstructions(
      executeV1(umi, {
        asset: asKey(asset),
        programId: asKey(instruction.program),
        instructionData: instruction.data,
        ...(collection && { collection: asKey(collection) }),
      }).addRemainingAccounts(
        instruction.accounts.map(({ address, isSigner, isWritable }) => ({
          pubkey: asKey(address),
          isSigner: isSigner && asKey(address) !== wallet,
          isWritable,
        })),
      ),
    )
    if (!executed) throw new Error('executeV1 built no instruction')
    return executed
  }

  return {
    asAgent,
    identityOf: (asset: Address): Address =>
      findAgentIdentityV2Pda(umi, { asset: asKey(asset) })[0] as string as Address,

    identityVersion(asset: Address): number | undefined {
      return chain.account(this.identityOf(asset))?.data[0]
    },

    hasToken(asset: Address): boolean {
      const data = chain.account(this.identityOf(asset))?.data
      if (!data || data[0] === VERSION_1) return false
      return getAgentIdentityV2AccountDataSerializer().deserialize(data)[0].agentToken.__option === 'Some'
    },

    /** `undefined` if the asset was burnt. */
    ownerOf(asset: Address): Address | undefined {
      const data = chain.account(asset)?.data
      return data && data.length > 1 ? (decodeAsset(data)[0].owner as string as Address) : undefined
    },

    createCollection: (collection: Keypair, name: string, uri: string) =>
      land(
        createCollectionV2(umi, {
          collection: signerAt(collection.address),
          updateAuthority: asKey(collectionAuthority.address),
          name,
          uri,
        }),
        collection,
      ),

    create: (asset: Keypair, input: { name: string; uri: string; collection: Address | undefined }) =>
      land(
        createV2(umi, {
          asset: signerAt(asset.address),
          name: input.name,
          uri: input.uri,
          ...inCollection(input.collection),
        }),
        asset,
      ),

    register: (asset: Address, agentRegistrationUri: string, collection?: Address) =>
      land(
        registerIdentityV1(umi, { asset: asKey(asset), agentRegistrationUri, ...inCollection(collection) }),
      ),

    /**
     * Rewrites the identity of Archivist or Bellringer as version 1. The program creates version 2, but older ones still
     * exist on the real network.
     */
    downgradeIdentity(asset: Address): void {
      const [address, bump] = findAgentIdentityV2Pda(umi, { asset: asKey(asset) })
      const serializer = getAgentIdentityV1AccountDataSerializer()
      const value = { key: VERSION_1, bump, asset: asKey(asset) }
      const data = serializer.serialize(value as Parameters<typeof serializer.serialize>[0])
      const lamports = chain.vm.rentExemptMinimum(data.length)
      const account = { lamports, owner: IDENTITY, data, executable: false }
      submit(chain, [maker], [systemTransfer(maker.address, maker.address, 0n)], {
        also: new Map([[address as string as Address, account]]),
        named: [asset, IDENTITY],
      })
    },

    /** Only the agent itself can set its token, so the instruction goes through `execute`. */
    async setToken(asset: Address, genesis: Address, collection?: Address): Promise<void> {
      const [assetSigner] = findAssetSignerPda(umi, { asset: asKey(asset) })
      const [instruction] = toInstructions(
        setAgentTokenV1(umi, {
          asset: asKey(asset),
          genesisAccount: asKey(genesis),
          authority: { publicKey: assetSigner as PublicKey } as never,
        }),
      )
      if (!instruction) throw new Error('setAgentTokenV1 built no instruction')
      const { err, logs } = await sendInstructions([asAgent(asset, instruction, collection)])
      // A binary that is older than agent tokens lacks the instruction; then the agent has none.
      if (err !== null && chain.standIns.includes(IDENTITY))
        throw new Error(`setting an agent's token failed: ${JSON.stringify(err)}\n${logs.join('\n')}`)
    },

    transfer: (asset: Address, newOwner: Address, collection?: Address) =>
      land(
        transferV1(umi, {
          asset: asKey(asset),
          newOwner: asKey(newOwner),
          ...(collection && { collection: asKey(collection) }),
        }),
      ),

    burn: (asset: Address, collection?: Address) =>
      land(burnV1(umi, { asset: asKey(asset), ...(collection && { collection: asKey(collection) }) })),
  }
}
