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
import type { PublicKey, TransactionBuilder } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import type { Chain } from '../ledger/create-chain.ts'
import type { Execution } from '../ledger/execution.ts'
import { createTransaction, type Keypair } from '../ledger/keypair.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { decodeAsset } from '../programs/core/layout.ts'
import { asKey } from '../programs/genesis/checks.ts'
import { IDENTITY } from '../programs/identity/checks.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { umi as context } from '../programs/umi-context.ts'
import { submit } from './submit.ts'
import { signerAt, toInstructions } from './trade-instructions.ts'

const VERSION_1 = 1
const VERSION_2 = 2

/** The address of an agent's wallet. */
export const agentWallet = (asset: Address): Address =>
  findAssetSignerPda(context, { asset: asKey(asset) })[0] as string as Address

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

  function writeIdentity(asset: Address, data: Uint8Array): void {
    const [address] = findAgentIdentityV2Pda(umi, { asset: asKey(asset) })
    const lamports = chain.vm.rentExemptMinimum(data.length)
    const account = { lamports, owner: IDENTITY, data, executable: false }
    submit(chain, [maker], [systemTransfer(maker.address, maker.address, 0n)], {
      also: new Map([[address as string as Address, account]]),
      named: [asset, IDENTITY],
    })
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

    /** Rewrites an identity as version 1: the program now creates version 2, but older ones still exist. */
    downgradeIdentity(asset: Address): void {
      const [, bump] = findAgentIdentityV2Pda(umi, { asset: asKey(asset) })
      const serializer = getAgentIdentityV1AccountDataSerializer()
      const value = { key: VERSION_1, bump, asset: asKey(asset) }
      writeIdentity(asset, serializer.serialize(value as Parameters<typeof serializer.serialize>[0]))
    },

    /** Only the agent itself can set its token, so the instruction goes through `execute`. */
    async setToken(
      asset: Address,
      { genesis, mint }: { genesis: Address; mint: Address },
      collection?: Address,
    ): Promise<void> {
      const [assetSigner] = findAssetSignerPda(umi, { asset: asKey(asset) })
      const [instruction] = toInstructions(
        setAgentTokenV1(umi, {
          asset: asKey(asset),
          genesisAccount: asKey(genesis),
          authority: { publicKey: assetSigner as PublicKey } as never,
        }),
      )
      if (!instruction) throw new Error('setAgentTokenV1 built no instruction')
      const { err } = await sendInstructions([asAgent(asset, instruction, collection)])
      if (err === null) return
      // A binary that is older than agent tokens lacks the instruction, so the account is written directly.
      const [, bump] = findAgentIdentityV2Pda(umi, { asset: asKey(asset) })
      const serializer = getAgentIdentityV2AccountDataSerializer()
      const value = { key: VERSION_2, bump, asset: asKey(asset), agentToken: asKey(mint) }
      writeIdentity(asset, serializer.serialize(value as Parameters<typeof serializer.serialize>[0]))
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
