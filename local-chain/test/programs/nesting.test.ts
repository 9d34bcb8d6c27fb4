import { findAgentIdentityV2Pda, registerIdentityV1 } from '@metaplex-foundation/mpl-agent-registry'
import {
  addExternalPluginAdapterV1,
  createV2,
  DataState,
  executeV1,
  findAssetSignerPda,
} from '@metaplex-foundation/mpl-core'
import { transferSol } from '@metaplex-foundation/mpl-toolbox'
import {
  type PublicKey,
  publicKey,
  type Signer,
  sol,
  type TransactionBuilder,
} from '@metaplex-foundation/umi'
import { type Address, getCompiledTransactionMessageEncoder } from '@solana/kit'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LocalChain } from '../../src/index.ts'
import { call } from '../start-chain.ts'
import { asAddress, custom, mintAsset, modes, mustSend, send, signer, startWith, wallet } from './on-chain.ts'

const CORE = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d' as Address

describe.each(modes)('what calls what, %s', mode => {
  let local: LocalChain
  let umi: ReturnType<typeof wallet>
  beforeEach(async () => {
    local = await startWith(mode)
    umi = wallet(local)
  })
  const walletOf = (asset: PublicKey) => publicKey(findAssetSignerPda(umi, { asset }))
  /** Who signs only because a program lends its signature. */
  const lent = (key: PublicKey) => ({ publicKey: key }) as Signer
  const wrap = (asset: PublicKey, inner: TransactionBuilder, authority?: Signer) => {
    const [instruction] = inner.getInstructions()
    if (!instruction) throw new Error('nothing to wrap')
    return executeV1(umi, {
      asset,
      programId: instruction.programId,
      instructionData: instruction.data,
      ...(authority && { authority }),
    }).addRemainingAccounts(
      instruction.keys.map(key => ({ ...key, isSigner: key.pubkey === umi.payer.publicKey })),
    )
  }

  test('an agent that owns an agent that owns an agent pays, as deep as the chain allows and no deeper', async () => {
    const owners = [umi.payer.publicKey]
    const assets: PublicKey[] = []
    for (let n = 0; n < 5; n++) {
      const asset = await mintAsset(local, umi, { owner: owners.at(-1) as PublicKey })
      assets.push(asset)
      owners.push(walletOf(asset))
    }
    const pay = (depth: number) => {
      const asset = assets[depth - 1] as PublicKey
      local.airdrop(asAddress(walletOf(asset)), 1_000_000_000n)
      const to = signer(umi).publicKey
      const payment: TransactionBuilder = transferSol(umi, {
        source: lent(walletOf(asset)),
        destination: to,
        amount: sol(0.5),
      })
      const whole = assets
        .slice(0, depth)
        .reduceRight(
          (inner, of, at) => wrap(of, inner, at === 0 ? undefined : lent(owners[at] as PublicKey)),
          payment,
        )
      return { whole, to }
    }
    const deep = pay(4)
    expect((await send(local, umi, deep.whole)).err).toBeNull()
    expect(local.chain.account(asAddress(deep.to))?.lamports).toBe(500_000_000n)
    const tooDeep = pay(5)
    expect((await send(local, umi, tooDeep.whole)).err).toEqual({ InstructionError: [0, 'CallDepth'] })
    expect(local.chain.account(asAddress(tooDeep.to))).toBeUndefined()
  })

  test('a program does not come back to itself through another', async () => {
    const [agent, pet] = [await mintAsset(local, umi), signer(umi)]
    await mustSend(
      local,
      umi,
      createV2(umi, { asset: pet, updateAuthority: walletOf(agent), name: 'Pet', uri: 'u' }),
    )
    const register = registerIdentityV1(umi, {
      asset: pet.publicKey,
      authority: lent(walletOf(agent)),
      agentRegistrationUri: 'u',
    })
    expect((await send(local, umi, wrap(agent, register))).err).toEqual({
      InstructionError: [0, 'ReentrancyNotAllowed'],
    })
  })

  test('nobody but the identity program makes an asset an agent', async () => {
    const asset = await mintAsset(local, umi)
    const identity = publicKey(findAgentIdentityV2Pda(umi, { asset }))
    const add = addExternalPluginAdapterV1(umi, {
      asset,
      initInfo: {
        __kind: 'AgentIdentity',
        fields: [{ uri: 'u', initPluginAuthority: null, lifecycleChecks: [] }],
      },
    } as never)
    const by = (pubkey: PublicKey, isSigner: boolean) =>
      send(local, umi, add.addRemainingAccounts({ pubkey, isSigner, isWritable: false }))
    expect((await by(identity, false)).err).toEqual({ InstructionError: [0, 'MissingRequiredSignature'] })
    expect((await by(umi.payer.publicKey, true)).err).toEqual(custom(51))
  })

  test('an asset that would only lie in the log is not made', async () => {
    const builder = createV2(umi, {
      asset: signer(umi),
      name: 'A',
      uri: 'u',
      dataState: DataState.LedgerState,
    })
    expect((await send(local, umi, builder)).err).toEqual(custom(23))
  })

  test('an account that a message names twice is refused, whoever is called', async () => {
    const payer = asAddress(umi.payer.publicKey)
    const twice = asAddress(signer(umi).publicKey)
    for (const program of [CORE, '11111111111111111111111111111111' as Address]) {
      const message = getCompiledTransactionMessageEncoder().encode({
        version: 'legacy',
        header: { numSignerAccounts: 1, numReadonlySignerAccounts: 0, numReadonlyNonSignerAccounts: 1 },
        staticAccounts: [payer, twice, twice, program],
        lifetimeToken: local.chain.clock.blockhash(local.chain.clock.slot()),
        instructions: [{ programAddressIndex: 3, accountIndices: [0, 1], data: new Uint8Array(1) }],
      } as Parameters<ReturnType<typeof getCompiledTransactionMessageEncoder>['encode']>[0])
      const wire = Buffer.from([1, ...new Uint8Array(64), ...message]).toString('base64')
      expect(await call(local, 'simulateTransaction', wire, { encoding: 'base64' })).toMatchObject({
        result: { value: { err: 'AccountLoadedTwice' } },
      })
    }
  })
})
