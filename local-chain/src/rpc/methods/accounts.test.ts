import { expect, test } from 'vitest'
import { createKeypair } from '../../ledger/keypair.ts'
import { call, post, startChain } from '../../testing/start-chain.ts'

test('accounts are returned sliced, filtered and in the requested encoding', async () => {
  const local = await startChain()
  const owner = createKeypair().address
  const [a, b] = [createKeypair().address, createKeypair().address]
  const account = (data: number[]) => ({
    lamports: 2_000_000n,
    owner,
    data: Uint8Array.from(data),
    executable: false,
  })
  local.chain.writeAccounts(
    new Map([
      [a, account([1, 2, 3, 4])],
      [b, account([1, 9, 3])],
    ]),
  )
  const options = { commitment: 'confirmed', encoding: 'base64' }

  expect(await call(local, 'getAccountInfo', a, options)).toMatchObject({
    result: {
      value: { data: ['AQIDBA==', 'base64'], lamports: 2_000_000, owner, space: 4, executable: false },
    },
  })
  expect(await call(local, 'getAccountInfo', a, { commitment: 'confirmed' })).toMatchObject({
    result: { value: { data: '2VfUX' } },
  })
  expect(
    await call(local, 'getAccountInfo', a, { ...options, dataSlice: { offset: 1, length: 2 } }),
  ).toMatchObject({
    result: { value: { data: ['AgM=', 'base64'] } },
  })
  expect(
    await call(local, 'getAccountInfo', a, { commitment: 'confirmed', encoding: 'base64+zstd' }),
  ).toMatchObject({
    result: { value: { data: ['KLUv/aAEAAAAIQAAAQIDBA==', 'base64+zstd'] } },
  })
  expect(await call(local, 'getMultipleAccounts', [a, createKeypair().address], options)).toMatchObject({
    result: { value: [{ data: ['AQIDBA==', 'base64'] }, null] },
  })
  const found = async (filters: unknown[]) =>
    (
      (await call(local, 'getProgramAccounts', owner, { ...options, filters })).result as { pubkey: string }[]
    ).map(x => x.pubkey)
  expect(await found([])).toHaveLength(2)
  expect(await found([{ dataSize: 3 }])).toEqual([b])
  expect(await found([{ memcmp: { offset: 1, bytes: '3' } }])).toEqual([a])
  expect(await found([{ memcmp: { offset: 1, bytes: 'CQM=', encoding: 'base64' } }])).toEqual([b])
  expect(await found([{ memcmp: { offset: 3, bytes: '5' } }, { dataSize: 3 }])).toEqual([])
  // An empty filter matches at the end of the data, but not beyond it.
  expect(await found([{ memcmp: { offset: 4, bytes: '' } }])).toEqual([a])
  const raw = await (
    await post(local, { jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [a, options] })
  ).text()
  // Too large for a double, so it must not pass through a JavaScript number.
  expect(raw).toContain('"rentEpoch":18446744073709551615')
})
