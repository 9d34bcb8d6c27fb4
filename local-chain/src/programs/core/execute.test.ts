import { executeV1, findAssetSignerPda } from '@metaplex-foundation/mpl-core'
import { publicKey, transactionBuilder } from '@metaplex-foundation/umi'
import { expect, test } from 'vitest'
import { describeModes, startWithWallet } from '../../testing/real-programs.ts'
import {
  asAddress,
  custom,
  EXECUTE_FEE,
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

describeModes('MPL Core execute', mode => {
  test("execute lets the owner spend from the asset's wallet, for a small fee", async () => {
    const { local, umi } = await startWithWallet(mode)
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const [payer, asset] = [lamportsOf(local, umi.payer.publicKey), lamportsOf(local, address)]
    const result = await send(
      local,
      umi,
      wrapInExecute(umi, address, pay(umi, pda, umi.payer.publicKey, 0.4)),
    )
    expect(result.err).toBeNull()
    expect(lamportsOf(local, pda)).toBe(600_000_000n)
    expect(lamportsOf(local, address) - asset).toBe(EXECUTE_FEE)
    expect(lamportsOf(local, umi.payer.publicKey) - payer).toBe(400_000_000n - EXECUTE_FEE - 5_000n)
    expect(result.logs).toContain(`Program ${CORE} invoke [1]`)
    expect(result.logs).toContain('Program 11111111111111111111111111111111 invoke [2]')
    expect(result.logs.at(-1)).toBe(`Program ${CORE} success`)
    expect(result.inner[0]).toHaveLength(2)
  })

  test('execute refuses other wallets, wrong asset signers and a missing collection', async () => {
    const { local, umi } = await startWithWallet(mode)
    const collection = await mintCollection(local, umi)
    const address = await mintAsset(local, umi, { collection })
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const stranger = wallet(local)
    const inner = pay(umi, pda, stranger.payer.publicKey, 0.4)
    expect(
      (await send(local, stranger, wrapInExecute(stranger, address, inner, { collection }))).err,
    ).toEqual(custom(26))
    expect((await send(local, umi, wrapInExecute(umi, address, inner))).err).toEqual(custom(25))
    expect((await send(local, umi, wrapInExecute(umi, address, inner, { collection: address }))).err).toEqual(
      custom(19),
    )
    expect((await send(local, umi, wrapInExecute(umi, umi.payer.publicKey, inner))).err).toEqual(custom(24))
    expect((await send(local, umi, wrapInExecute(umi, collection, inner))).err).toEqual(custom(1))
    const wrongPda = executeV1(umi, {
      asset: address,
      collection,
      assetSigner: stranger.payer.publicKey,
      programId: publicKey('11111111111111111111111111111111'),
      instructionData: new Uint8Array(),
    })
    expect((await send(local, umi, wrongPda)).err).toEqual(custom(49))
    expect(lamportsOf(local, pda)).toBe(1_000_000_000n)
    await mustSend(local, umi, wrapInExecute(umi, address, inner, { collection }))
    expect(lamportsOf(local, pda)).toBe(600_000_000n)
  })

  test('execute fails with the error of its inner instruction and changes nothing', async () => {
    const { local, umi } = await startWithWallet(mode)
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const before = lamportsOf(local, address)
    const to = signer(umi).publicKey
    const result = await send(
      local,
      umi,
      pay(umi, umi.payer.publicKey, to, 0.01).add(wrapInExecute(umi, address, pay(umi, pda, to, 5))),
    )
    expect(result.err).toEqual(custom(1, 1))
    expect(result.logs.at(-1)).toBe(`Program ${CORE} failed: custom program error: 0x1`)
    expect([lamportsOf(local, address), lamportsOf(local, pda), lamportsOf(local, to)]).toEqual([
      before,
      1_000_000_000n,
      0n,
    ])
  })

  test('an account must end up rent-exempt or empty', async () => {
    const { local, umi } = await startWithWallet(mode)
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const nearlyAll = await send(
      local,
      umi,
      wrapInExecute(umi, address, pay(umi, pda, umi.payer.publicKey, 0.99999)),
    )
    expect(nearlyAll.err).toEqual({ InsufficientFundsForRent: { account_index: expect.any(Number) } })
    const index = (nearlyAll.err as { InsufficientFundsForRent: { account_index: number } })
      .InsufficientFundsForRent.account_index
    expect(nearlyAll.keys?.keys[index]).toBe(asAddress(pda))
    // Below the minimum in between, but not at the end.
    const there = wrapInExecute(umi, address, pay(umi, pda, umi.payer.publicKey, 0.99999))
    await mustSend(local, umi, there.add(pay(umi, umi.payer.publicKey, pda, 0.5)))
    expect(lamportsOf(local, pda)).toBe(500_010_000n)
    await mustSend(local, umi, wrapInExecute(umi, address, pay(umi, pda, umi.payer.publicKey, 0.50001)))
    expect(lamportsOf(local, pda)).toBe(0n)
  })

  test('an account below the rent minimum may stay unchanged, but cannot receive too little to reach it', async () => {
    const { local, umi } = await startWithWallet(mode)
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const poor = signer(umi).publicKey
    const account = { lamports: 1_000n, owner: asAddress('11111111111111111111111111111111') }
    local.chain.writeAccounts(
      new Map([[asAddress(poor), { ...account, data: new Uint8Array(), executable: false }]]),
    )
    const topUp = await send(local, umi, wrapInExecute(umi, address, pay(umi, pda, poor, 0.000001)))
    expect(topUp.err).toEqual({ InsufficientFundsForRent: { account_index: expect.any(Number) } })
    expect(lamportsOf(local, poor)).toBe(1_000n)
    const untouched = { pubkey: poor, isSigner: false, isWritable: true }
    await mustSend(
      local,
      umi,
      wrapInExecute(umi, address, pay(umi, pda, umi.payer.publicKey, 0.1)).addRemainingAccounts([untouched]),
    )
    await mustSend(local, umi, wrapInExecute(umi, address, pay(umi, pda, poor, 0.1)))
    expect(lamportsOf(local, poor)).toBe(100_001_000n)
  })

  test('the asset signer counts as a signer only inside execute', async () => {
    const { local, umi } = await startWithWallet(mode)
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const [stolen] = pay(umi, pda, umi.payer.publicKey, 0.3).getInstructions()
    if (!stolen) throw new Error('no instruction')
    const bare = wrapInExecute(umi, address, pay(umi, pda, umi.payer.publicKey, 0.1)).add({
      instruction: { ...stolen, keys: stolen.keys.map(key => ({ ...key, isSigner: false })) },
      signers: [],
      bytesCreatedOnChain: 0,
    })
    expect((await send(local, umi, bare)).err).toEqual({ InstructionError: [1, 'MissingRequiredSignature'] })
    expect(lamportsOf(local, pda)).toBe(1_000_000_000n)
  })

  test('execute cannot write to read-only accounts, and a failed attempt changes nothing', async () => {
    const { local, umi } = await startWithWallet(mode)
    const address = await mintAsset(local, umi)
    const [pda] = findAssetSignerPda(umi, { asset: address })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const [plain] = wrapInExecute(umi, address, pay(umi, pda, umi.payer.publicKey, 0.1)).getInstructions()
    if (!plain) throw new Error('no instruction')
    const readonly = (key: string) => ({
      ...plain,
      keys: plain.keys.map(meta => (meta.pubkey === key ? { ...meta, isWritable: false } : meta)),
    })
    for (const key of [address, pda] as string[]) {
      const before = [lamportsOf(local, address), lamportsOf(local, pda)]
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
      expect([lamportsOf(local, address), lamportsOf(local, pda)]).toEqual(before)
      expect(local.chain.vm.read(asAddress(key))?.lamports).toBe(lamportsOf(local, key))
    }
  })
})
