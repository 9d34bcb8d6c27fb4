import {
  burnV1,
  createV2,
  fetchAsset,
  fetchCollection,
  findAssetSignerPda,
  transferV1,
} from '@metaplex-foundation/mpl-core'
import { transactionBuilder } from '@metaplex-foundation/umi'
import { expect, test } from 'vitest'
import { describeModes, startWithWallet } from '../../testing/real-programs.ts'
import { base64, call, latestBlockhash } from '../../testing/start-chain.ts'
import {
  asAddress,
  CREATE_FEE,
  custom,
  lamportsOf,
  mintAsset,
  mintCollection,
  mustSend,
  pay,
  send,
  signer,
  wallet,
  wrapInExecute,
} from '../../testing/umi-wallet.ts'

const CORE = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d'

describeModes('MPL Core', mode => {
  test('create makes an asset that the official client can read, and charges a fee', async () => {
    const { local, umi } = await startWithWallet(mode)
    const before = lamportsOf(local, umi.payer.publicKey)
    const owner = signer(umi).publicKey
    const address = await mintAsset(local, umi, { owner })
    const asset = await fetchAsset(umi, address)
    expect(asset).toMatchObject({ name: 'Agent', uri: 'https://a.example/1.json', owner })
    expect(asset.updateAuthority).toEqual({ type: 'Address', address: umi.payer.publicKey })
    expect(local.chain.account(asAddress(address))?.owner).toBe(CORE)
    // The account keeps its rent and the program's fee of 0.0015 SOL; the payer also pays for two signatures.
    const kept = lamportsOf(local, address)
    expect(
      kept - local.chain.vm.rentExemptMinimum(local.chain.account(asAddress(address))?.data.length ?? 0),
    ).toBe(CREATE_FEE)
    expect(before - lamportsOf(local, umi.payer.publicKey)).toBe(kept + 10_000n)
  })

  test('an asset address can be used only once', async () => {
    const { local, umi } = await startWithWallet(mode)
    const asset = signer(umi)
    const build = () => createV2(umi, { asset, name: 'A', uri: 'https://a.example/1.json' })
    await mustSend(local, umi, build())
    const before = local.chain.account(asAddress(asset.publicKey))
    expect(
      (await send(local, umi, build().append(pay(umi, umi.payer.publicKey, signer(umi).publicKey, 0.01))))
        .err,
    ).toEqual(custom(0))
    expect(local.chain.account(asAddress(asset.publicKey))).toEqual(before)
  })

  test('a collection counts its assets, and only its authority can add one', async () => {
    const { local, umi } = await startWithWallet(mode)
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

  test('only the owner can transfer an asset, and must name its collection if it has one', async () => {
    const { local, umi } = await startWithWallet(mode)
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

  test('a burnt asset leaves one byte, returns its rent and cannot be used again', async () => {
    const { local, umi } = await startWithWallet(mode)
    const collection = await mintCollection(local, umi)
    const address = await mintAsset(local, umi, { collection })
    const size = local.chain.account(asAddress(address))?.data.length ?? 0
    const stranger = wallet(local)
    expect((await send(local, stranger, burnV1(stranger, { asset: address, collection }))).err).toEqual(
      custom(26),
    )

    const before = lamportsOf(local, umi.payer.publicKey)
    const { rentExemptMinimum } = local.chain.vm
    await mustSend(local, umi, burnV1(umi, { asset: address, collection }))
    expect(local.chain.account(asAddress(address))?.data).toEqual(Uint8Array.of(0))
    expect(lamportsOf(local, umi.payer.publicKey)).toBe(
      before - 5_000n + rentExemptMinimum(size) - rentExemptMinimum(1),
    )
    expect(lamportsOf(local, address)).toBe(rentExemptMinimum(1) + CREATE_FEE)
    expect(await fetchCollection(umi, collection)).toMatchObject({ numMinted: 1, currentSize: 0 })
    expect(
      (await send(local, umi, transferV1(umi, { asset: address, newOwner: umi.payer.publicKey }))).err,
    ).toEqual(custom(6))
    const [pda] = findAssetSignerPda(umi, { asset: address })
    expect(
      (await send(local, umi, wrapInExecute(umi, address, pay(umi, pda, umi.payer.publicKey, 0.1)))).err,
    ).toEqual(custom(1))
  })

  test('a called program is read-only, even if the message marks it as writable', async () => {
    const { local, umi } = await startWithWallet(mode)
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

  test('a simulation returns the resulting accounts and changes nothing', async () => {
    const { local, umi } = await startWithWallet(mode)
    const asset = signer(umi)
    const before = lamportsOf(local, umi.payer.publicKey)
    const builder = createV2(umi, { asset, name: 'Draft', uri: 'https://a.example/1.json' })
    const blockhash = latestBlockhash(local)
    const signed = await builder.setBlockhash(blockhash).buildAndSign(umi)
    const text = base64(umi.transactions.serialize(signed))
    const simulate = () =>
      call(local, 'simulateTransaction', text, {
        encoding: 'base64',
        sigVerify: true,
        commitment: 'confirmed',
        accounts: { encoding: 'base64', addresses: [asset.publicKey] },
      })
    // Signatures are not needed: wallets simulate before they ask for one.
    const unsigned = umi.transactions.serialize({
      ...signed,
      signatures: signed.signatures.map(() => new Uint8Array(64)),
    })
    expect(
      await call(local, 'simulateTransaction', base64(unsigned), {
        encoding: 'base64',
      }),
    ).toMatchObject({ result: { value: { err: null } } })
    const first = await simulate()
    expect(first).toMatchObject({ result: { value: { err: null, accounts: [{ owner: CORE }] } } })
    expect(await simulate()).toMatchObject({ result: { value: { err: null } } })
    expect(local.chain.vm.read(asAddress(asset.publicKey))).toBeUndefined()
    expect([
      lamportsOf(local, umi.payer.publicKey),
      local.chain.vm.read(asAddress(umi.payer.publicKey))?.lamports,
    ]).toEqual([before, before])
    const sent = await call(local, 'sendTransaction', text, { encoding: 'base64' })
    expect(sent.error).toBeUndefined()
    expect((await fetchAsset(umi, asset.publicKey)).name).toBe('Draft')
  })
})
