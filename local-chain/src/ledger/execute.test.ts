import { findAgentIdentityV2Pda, registerIdentityV1 } from '@metaplex-foundation/mpl-agent-registry'
import {
  addExternalPluginAdapterV1,
  burnV1,
  createV2,
  DataState,
  findAssetSignerPda,
} from '@metaplex-foundation/mpl-core'
import { setComputeUnitLimit, setComputeUnitPrice, transferSol } from '@metaplex-foundation/mpl-toolbox'
import {
  createNoopSigner,
  type PublicKey,
  publicKey,
  sol,
  type TransactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import { type Address, getCompiledTransactionMessageEncoder } from '@solana/kit'
import { expect, test } from 'vitest'
import { describeModes, startWithWallet } from '../testing/real-programs.ts'
import { base64, call, latestBlockhash } from '../testing/start-chain.ts'
import {
  asAddress,
  custom,
  EXECUTE_FEE,
  mintAsset,
  mustSend,
  send,
  signer,
  wrapInExecute,
} from '../testing/umi-wallet.ts'

const CORE = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d' as Address

const walletOf = (umi: Umi, asset: PublicKey) => publicKey(findAssetSignerPda(umi, { asset }))

describeModes('compute budgets', mode => {
  test('a transaction may set its compute limit and price, between other instructions too', async () => {
    const { local, umi } = await startWithWallet(mode)
    const asset = await mintAsset(local, umi)
    const from = walletOf(umi, asset)
    local.airdrop(asAddress(from), 1_000_000_000n)
    const to = signer(umi).publicKey
    const pay = (amount: number) =>
      wrapInExecute(
        umi,
        asset,
        transferSol(umi, { source: createNoopSigner(from), destination: to, amount: sol(amount) }),
      )
    const before = local.chain.account(asAddress(umi.payer.publicKey))?.lamports ?? 0n
    const { err, logs } = await send(
      local,
      umi,
      setComputeUnitLimit(umi, { units: 300_000 })
        .add(pay(0.1))
        .add(setComputeUnitPrice(umi, { microLamports: 2_000_000 }))
        .add(transferSol(umi, { destination: to, amount: sol(0.1) })),
    )
    expect(err).toBeNull()
    expect(
      logs.filter(line => line === 'Program ComputeBudget111111111111111111111111111111 success'),
    ).toHaveLength(2)
    expect(local.chain.account(asAddress(to))?.lamports).toBe(200_000_000n)
    const paid = before - (local.chain.account(asAddress(umi.payer.publicKey))?.lamports ?? 0n)
    // 0.1 SOL, the signature, 300,000 units at 2 lamports, and the fee of `execute`.
    expect(paid).toBe(100_000_000n + 5_000n + 600_000n + EXECUTE_FEE)
  })
})

describeModes('nested calls', mode => {
  test('agents that own agents can pay through four nested executes, but not through five', async () => {
    const { local, umi } = await startWithWallet(mode)
    const owners = [umi.payer.publicKey]
    const assets: PublicKey[] = []
    for (let n = 0; n < 5; n++) {
      const asset = await mintAsset(local, umi, { owner: owners.at(-1) as PublicKey })
      assets.push(asset)
      owners.push(walletOf(umi, asset))
    }
    const pay = (depth: number) => {
      const asset = assets[depth - 1] as PublicKey
      local.airdrop(asAddress(walletOf(umi, asset)), 1_000_000_000n)
      const to = signer(umi).publicKey
      const payment: TransactionBuilder = transferSol(umi, {
        source: createNoopSigner(walletOf(umi, asset)),
        destination: to,
        amount: sol(0.5),
      })
      const whole = assets
        .slice(0, depth)
        .reduceRight(
          (inner, of, at) =>
            wrapInExecute(
              umi,
              of,
              inner,
              at === 0 ? {} : { authority: createNoopSigner(owners[at] as PublicKey) },
            ),
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

  test('a program cannot re-enter itself through another program', async () => {
    const { local, umi } = await startWithWallet(mode)
    const [agent, pet] = [await mintAsset(local, umi), signer(umi)]
    await mustSend(
      local,
      umi,
      createV2(umi, { asset: pet, updateAuthority: walletOf(umi, agent), name: 'Pet', uri: 'u' }),
    )
    const register = registerIdentityV1(umi, {
      asset: pet.publicKey,
      authority: createNoopSigner(walletOf(umi, agent)),
      agentRegistrationUri: 'u',
    })
    expect((await send(local, umi, wrapInExecute(umi, agent, register))).err).toEqual({
      InstructionError: [0, 'ReentrancyNotAllowed'],
    })
  })

  test('the first instruction that fails is reported, whichever program runs it', async () => {
    const { local, umi } = await startWithWallet(mode)
    const [asset, poor] = [await mintAsset(local, umi), signer(umi)]
    const unpayable = transferSol(umi, { source: poor, destination: umi.payer.publicKey, amount: sol(1) })
    const stolen = burnV1(umi, { asset, authority: poor })
    expect((await send(local, umi, unpayable.add(stolen))).err).toEqual(custom(1, 0))
    expect((await send(local, umi, stolen.add(unpayable))).err).toEqual(custom(26, 0))
  })

  test('only the identity program can add an agent identity to an asset', async () => {
    const { local, umi } = await startWithWallet(mode)
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

  test('an asset that is stored only in the ledger cannot be created', async () => {
    const { local, umi } = await startWithWallet(mode)
    const builder = createV2(umi, {
      asset: signer(umi),
      name: 'A',
      uri: 'u',
      dataState: DataState.LedgerState,
    })
    expect((await send(local, umi, builder)).err).toEqual(custom(23))
  })

  test('a message that names an account twice is refused, whether or not it calls a stand-in', async () => {
    const { local, umi } = await startWithWallet(mode)
    const payer = asAddress(umi.payer.publicKey)
    const twice = asAddress(signer(umi).publicKey)
    for (const program of [CORE, '11111111111111111111111111111111' as Address]) {
      const message = getCompiledTransactionMessageEncoder().encode({
        version: 'legacy',
        header: { numSignerAccounts: 1, numReadonlySignerAccounts: 0, numReadonlyNonSignerAccounts: 1 },
        staticAccounts: [payer, twice, twice, program],
        lifetimeToken: latestBlockhash(local),
        instructions: [{ programAddressIndex: 3, accountIndices: [0, 1], data: new Uint8Array(1) }],
      } as Parameters<ReturnType<typeof getCompiledTransactionMessageEncoder>['encode']>[0])
      const wire = base64(Uint8Array.from([1, ...new Uint8Array(64), ...message]))
      expect(await call(local, 'simulateTransaction', wire, { encoding: 'base64' })).toMatchObject({
        result: { value: { err: 'AccountLoadedTwice' } },
      })
    }
  })
})
