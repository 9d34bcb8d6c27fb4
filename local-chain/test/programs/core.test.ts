import {
  burnV1,
  createV2,
  executeV1,
  fetchAsset,
  fetchCollection,
  findAssetSignerPda,
  transferV1,
} from '@metaplex-foundation/mpl-core'
import { transferSol } from '@metaplex-foundation/mpl-toolbox'
import {
  publicKey,
  sol,
  type TransactionBuilder,
  transactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LocalChain } from '../../src/index.ts'
import { call } from '../start-chain.ts'
import {
  asAddress,
  custom,
  mintAsset,
  mintCollection,
  modes,
  mustSend,
  send,
  signer,
  startWith,
  wallet,
} from './on-chain.ts'

const CORE = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d'

describe.each(modes)('MPL Core, %s', mode => {
  let local: LocalChain
  let umi: ReturnType<typeof wallet>
  beforeEach(async () => {
    local = await startWith(mode)
    umi = wallet(local)
  })
  const lamports = (key: unknown) => local.chain.account(asAddress(key))?.lamports ?? 0n

  /** `execute` around the instructions of a builder, as the service and wallets build it. */
  const wrap = (
    by: Umi,
    asset: unknown,
    inner: TransactionBuilder,
    more: { collection?: unknown; authority?: never } = {},
  ) => {
    const [instruction] = inner.getInstructions()
    if (!instruction) throw new Error('nothing to wrap')
    return executeV1(by, {
      asset: publicKey(asset as string),
      ...(more.collection !== undefined && { collection: publicKey(more.collection as string) }),
      programId: instruction.programId,
      instructionData: instruction.data,
    }).addRemainingAccounts(instruction.keys.map(key => ({ ...key, isSigner: false })))
  }
  const pay = (from: unknown, to: unknown, amount: number) =>
    transferSol(umi, {
      source: { publicKey: publicKey(from as string) } as never,
      destination: publicKey(to as string),
      amount: sol(amount),
    })

  test('create makes an asset that the official client reads, for a fee', async () => {
    const before = lamports(umi.payer.publicKey)
    const owner = signer(umi).publicKey
    const address = await mintAsset(local, umi, { owner })
    const asset = await fetchAsset(umi, address)
    expect(asset).toMatchObject({ name: 'Agent', uri: 'https://a.example/1.json', owner })
    expect(asset.updateAuthority).toEqual({ type: 'Address', address: umi.payer.publicKey })
    expect(local.chain.account(asAddress(address))?.owner).toBe(CORE)
    // Rent of its bytes and the program's fee of 0.0015 stay in the account; the payer also pays two signatures.
    const kept = lamports(address)
    expect(
      kept - local.chain.vm.rentExemptMinimum(local.chain.account(asAddress(address))?.data.length ?? 0),
    ).toBe(1_500_000n)
    expect(before - lamports(umi.payer.publicKey)).toBe(kept + 10_000n)
  })

  test('an asset address is used once', async () => {
    const asset = signer(umi)
    const build = () => createV2(umi, { asset, name: 'A', uri: 'https://a.example/1.json' })
    await mustSend(local, umi, build())
    const before = local.chain.account(asAddress(asset.publicKey))
    expect(
      (await send(local, umi, build().append(pay(umi.payer.publicKey, signer(umi).publicKey, 0.01)))).err,
    ).toEqual(custom(0))
    expect(local.chain.account(asAddress(asset.publicKey))).toEqual(before)
  })

  test('an asset of a collection is counted, and only its authority may add one', async () => {
    const collection = await mintCollection(local, umi)
    const address = await mintAsset(local, umi, { collection })
    expect((await fetchAsset(umi, address)).updateAuthority).toEqual({
      type: 'Collection',
      address: collection,
    })
    expect(await fetchCollection(umi, collection)).toMatchObject({
      numMinted: 1,
      currentSize: 1,
      name: 'Crew',
    })

    const stranger = wallet(local)
    const build = createV2(stranger, {
      asset: signer(umi),
      collection,
      name: 'B',
      uri: 'https://a.example/2.json',
    })
    expect((await send(local, stranger, build)).err).toEqual(custom(26))
    expect(await fetchCollection(umi, collection)).toMatchObject({ numMinted: 1, currentSize: 1 })
    const both = createV2(umi, {
      asset: signer(umi),
      collection,
      updateAuthority: umi.payer.publicKey,
      name: 'B',
      uri: 'u',
    })
    expect((await send(local, umi, both)).err).toEqual(custom(29))
    const none = createV2(umi, { asset: signer(umi), collection: address, name: 'B', uri: 'u' })
    expect((await send(local, umi, none)).err).toEqual(custom(1))
  })

  test('a transfer takes the owner, and the collection where there is one', async () => {
    const collection = await mintCollection(local, umi)
    const loose = await mintAsset(local, umi)
    const bound = await mintAsset(local, umi, { collection })
    const other = wallet(local)
    const to = other.payer.publicKey

    expect((await send(local, other, transferV1(other, { asset: loose, newOwner: to }))).err).toEqual(
      custom(26),
    )
    expect((await send(local, umi, transferV1(umi, { asset: bound, newOwner: to }))).err).toEqual(custom(25))
    expect((await send(local, umi, transferV1(umi, { asset: loose, newOwner: to, collection }))).err).toEqual(
      custom(19),
    )
    const elsewhere = await mintCollection(local, umi)
    expect(
      (await send(local, umi, transferV1(umi, { asset: bound, newOwner: to, collection: elsewhere }))).err,
    ).toEqual(custom(19))
    expect((await send(local, umi, transferV1(umi, { asset: collection, newOwner: to }))).err).toEqual(
      custom(6),
    )

    await mustSend(local, umi, transferV1(umi, { asset: loose, newOwner: to }))
    await mustSend(local, umi, transferV1(umi, { asset: bound, newOwner: to, collection }))
    expect((await fetchAsset(umi, loose)).owner).toBe(to)
    expect((await fetchAsset(umi, bound)).owner).toBe(to)
    expect(
      (await send(local, umi, transferV1(umi, { asset: loose, newOwner: umi.payer.publicKey }))).err,
    ).toEqual(custom(26))
  })

  test('a burnt asset leaves one byte, gives its rent back and cannot be used', async () => {
    const collection = await mintCollection(local, umi)
    const address = await mintAsset(local, umi, { collection })
    const size = local.chain.account(asAddress(address))?.data.length ?? 0
    const stranger = wallet(local)
    expect((await send(local, stranger, burnV1(stranger, { asset: address, collection }))).err).toEqual(
      custom(26),
    )

    const before = lamports(umi.payer.publicKey)
    const { rentExemptMinimum } = local.chain.vm
    await mustSend(local, umi, burnV1(umi, { asset: address, collection }))
    expect(local.chain.account(asAddress(address))?.data).toEqual(Uint8Array.of(0))
    expect(lamports(umi.payer.publicKey)).toBe(
      before - 5_000n + rentExemptMinimum(size) - rentExemptMinimum(1),
    )
    expect(lamports(address)).toBe(rentExemptMinimum(1) + 1_500_000n)
    expect(await fetchCollection(umi, collection)).toMatchObject({ numMinted: 1, currentSize: 0 })
    expect(
      (await send(local, umi, transferV1(umi, { asset: address, newOwner: umi.payer.publicKey }))).err,
    ).toEqual(custom(6))
    const [pda] = findAssetSignerPda(umi, { asset: address })
    expect((await send(local, umi, wrap(umi, address, pay(pda, umi.payer.publicKey, 0.1)))).err).toEqual(
      custom(1),
    )
  })

  test('execute lets the owner spend what the asset holds, for a small fee', async () => {
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const [payer, asset] = [lamports(umi.payer.publicKey), lamports(address)]
    const result = await send(local, umi, wrap(umi, address, pay(pda, umi.payer.publicKey, 0.4)))
    expect(result.err).toBeNull()
    expect(lamports(pda)).toBe(600_000_000n)
    expect(lamports(address) - asset).toBe(48_720n)
    expect(lamports(umi.payer.publicKey) - payer).toBe(400_000_000n - 48_720n - 5_000n)
    expect(result.logs).toContain(`Program ${CORE} invoke [1]`)
    expect(result.logs).toContain('Program 11111111111111111111111111111111 invoke [2]')
    expect(result.logs.at(-1)).toBe(`Program ${CORE} success`)
    expect(result.inner[0]).toHaveLength(2)
  })

  test('execute refuses strangers, wrong signers and a missing collection', async () => {
    const collection = await mintCollection(local, umi)
    const address = await mintAsset(local, umi, { collection })
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const stranger = wallet(local)
    const inner = pay(pda, stranger.payer.publicKey, 0.4)
    expect((await send(local, stranger, wrap(stranger, address, inner, { collection }))).err).toEqual(
      custom(26),
    )
    expect((await send(local, umi, wrap(umi, address, inner))).err).toEqual(custom(25))
    expect((await send(local, umi, wrap(umi, address, inner, { collection: address }))).err).toEqual(
      custom(19),
    )
    expect((await send(local, umi, wrap(umi, umi.payer.publicKey, inner))).err).toEqual(custom(24))
    expect((await send(local, umi, wrap(umi, collection, inner))).err).toEqual(custom(1))
    const wrongPda = executeV1(umi, {
      asset: address,
      collection,
      assetSigner: stranger.payer.publicKey,
      programId: publicKey('11111111111111111111111111111111'),
      instructionData: new Uint8Array(),
    })
    expect((await send(local, umi, wrongPda)).err).toEqual(custom(49))
    expect(lamports(pda)).toBe(1_000_000_000n)
    await mustSend(local, umi, wrap(umi, address, inner, { collection }))
    expect(lamports(pda)).toBe(600_000_000n)
  })

  test('execute fails as the inner instruction fails, and changes nothing', async () => {
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const before = lamports(address)
    const to = signer(umi).publicKey
    const result = await send(
      local,
      umi,
      pay(umi.payer.publicKey, to, 0.01).add(wrap(umi, address, pay(pda, to, 5))),
    )
    expect(result.err).toEqual(custom(1, 1))
    expect(result.logs.at(-1)).toBe(`Program ${CORE} failed: custom program error: 0x1`)
    expect([lamports(address), lamports(pda), lamports(to)]).toEqual([before, 1_000_000_000n, 0n])
  })

  test('what is left behind pays rent or is nothing at all', async () => {
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const nearlyAll = await send(local, umi, wrap(umi, address, pay(pda, umi.payer.publicKey, 0.9999)))
    expect(nearlyAll.err).toEqual({ InsufficientFundsForRent: { account_index: expect.any(Number) } })
    const index = (nearlyAll.err as { InsufficientFundsForRent: { account_index: number } })
      .InsufficientFundsForRent.account_index
    expect(nearlyAll.keys?.keys[index]).toBe(asAddress(pda))
    // Below its rent on the way, but not in the end.
    const there = wrap(umi, address, pay(pda, umi.payer.publicKey, 0.9999))
    await mustSend(local, umi, there.add(pay(umi.payer.publicKey, pda, 0.5)))
    expect(lamports(pda)).toBe(500_100_000n)
    await mustSend(local, umi, wrap(umi, address, pay(pda, umi.payer.publicKey, 0.5001)))
    expect(lamports(pda)).toBe(0n)
  })

  test('what was short of rent before may stay so, but not be fed a little', async () => {
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const poor = signer(umi).publicKey
    const account = { lamports: 1_000n, owner: asAddress('11111111111111111111111111111111') }
    local.chain.writeAccounts(
      new Map([[asAddress(poor), { ...account, data: new Uint8Array(), executable: false }]]),
    )
    const fed = await send(local, umi, wrap(umi, address, pay(pda, poor, 0.000001)))
    expect(fed.err).toEqual({ InsufficientFundsForRent: { account_index: expect.any(Number) } })
    expect(lamports(poor)).toBe(1_000n)
    const beside = { pubkey: poor, isSigner: false, isWritable: true }
    await mustSend(
      local,
      umi,
      wrap(umi, address, pay(pda, umi.payer.publicKey, 0.1)).addRemainingAccounts([beside]),
    )
    await mustSend(local, umi, wrap(umi, address, pay(pda, poor, 0.1)))
    expect(lamports(poor)).toBe(100_001_000n)
  })

  test('the signature that execute lends ends with it', async () => {
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const [stolen] = pay(pda, umi.payer.publicKey, 0.3).getInstructions()
    if (!stolen) throw new Error('no instruction')
    const bare = wrap(umi, address, pay(pda, umi.payer.publicKey, 0.1)).add({
      instruction: { ...stolen, keys: stolen.keys.map(key => ({ ...key, isSigner: false })) },
      signers: [],
      bytesCreatedOnChain: 0,
    })
    expect((await send(local, umi, bare)).err).toEqual({ InstructionError: [1, 'MissingRequiredSignature'] })
    expect(lamports(pda)).toBe(1_000_000_000n)
  })

  test('a program passes on no more than it was given, and nothing is left between machine and ledger', async () => {
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const [plain] = wrap(umi, address, pay(pda, umi.payer.publicKey, 0.1)).getInstructions()
    if (!plain) throw new Error('no instruction')
    const readonly = (key: string) => ({
      ...plain,
      keys: plain.keys.map(meta => (meta.pubkey === key ? { ...meta, isWritable: false } : meta)),
    })
    for (const key of [address, pda] as string[]) {
      const before = [lamports(address), lamports(pda)]
      const builder = transactionBuilder([
        { instruction: readonly(key), signers: [umi.payer], bytesCreatedOnChain: 0 },
      ])
      const { err, logs } = await send(local, umi, builder)
      expect(err).toEqual(
        key === address
          ? { InstructionError: [0, 'PrivilegeEscalation'] }
          : { InstructionError: [0, 'ReadonlyLamportChange'] },
      )
      if (key === address) expect(logs).toContain(`${key}'s writable privilege escalated`)
      expect([lamports(address), lamports(pda)]).toEqual(before)
      expect(local.chain.vm.read(asAddress(key))?.lamports).toBe(lamports(key))
    }
  })

  test('a program that is called is not written, whatever the message says', async () => {
    const address = await mintAsset(local, umi)
    const [plain] = transferV1(umi, { asset: address, newOwner: signer(umi).publicKey }).getInstructions()
    if (!plain) throw new Error('no instruction')
    const instruction = {
      ...plain,
      keys: plain.keys.map(meta => (meta.pubkey === CORE ? { ...meta, isWritable: true } : meta)),
    }
    const { err, accounts } = await send(
      local,
      umi,
      transactionBuilder([{ instruction, signers: [umi.payer], bytesCreatedOnChain: 0 }]),
    )
    expect(err).toBeNull()
    expect([...accounts.keys()]).not.toContain(CORE)
  })

  test('a simulation runs the program, shows what it would leave and leaves nothing', async () => {
    const asset = signer(umi)
    const before = lamports(umi.payer.publicKey)
    const builder = createV2(umi, { asset, name: 'Draft', uri: 'https://a.example/1.json' })
    const blockhash = local.chain.clock.blockhash(local.chain.clock.slot())
    const signed = await builder.setBlockhash(blockhash).buildAndSign(umi)
    const text = Buffer.from(umi.transactions.serialize(signed)).toString('base64')
    const simulate = () =>
      call(local, 'simulateTransaction', text, {
        encoding: 'base64',
        sigVerify: true,
        commitment: 'confirmed',
        accounts: { encoding: 'base64', addresses: [asset.publicKey] },
      })
    // Nobody needs to have signed yet: builders simulate before they ask for a signature.
    const unsigned = umi.transactions.serialize({
      ...signed,
      signatures: signed.signatures.map(() => new Uint8Array(64)),
    })
    expect(
      await call(local, 'simulateTransaction', Buffer.from(unsigned).toString('base64'), {
        encoding: 'base64',
      }),
    ).toMatchObject({ result: { value: { err: null } } })
    const first = await simulate()
    expect(first).toMatchObject({ result: { value: { err: null, accounts: [{ owner: CORE }] } } })
    expect(await simulate()).toMatchObject({ result: { value: { err: null } } })
    expect(local.chain.vm.read(asAddress(asset.publicKey))).toBeUndefined()
    expect([
      lamports(umi.payer.publicKey),
      local.chain.vm.read(asAddress(umi.payer.publicKey))?.lamports,
    ]).toEqual([before, before])
    const sent = await call(local, 'sendTransaction', text, { encoding: 'base64' })
    expect(sent.error).toBeUndefined()
    expect((await fetchAsset(umi, asset.publicKey)).name).toBe('Draft')
  })
})
