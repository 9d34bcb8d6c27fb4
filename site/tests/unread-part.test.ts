import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import { expect, test } from 'vitest'
import { writeLaunches } from '../../service/src/official-clients/launches-with-fees.ts'
import { readTerms } from '../src/pages/launch/terms/read-terms.ts'

const UNKNOWN_KIND = 250

test('a part of a kind that the page doesn’t know, or with another layout, is a row of its own beside the others', async () => {
  const local = await startChain()
  const [launch] = writeLaunches(local, [
    {
      creator: createKeypair().address,
      curve: { accrued: 1n, claimed: 0n },
      amm: { accrued: 0n, claimed: 0n },
    },
  ])
  if (!launch) throw new Error('no launch')
  const signal = AbortSignal.timeout(60_000)
  const read = async () => (await readTerms(local.rpcUrl, launch.genesis, signal)).tokens
  const [sale, liquidity] = await read()
  expect(liquidity?.text).toMatch(/liquidity pool/)
  const account = local.chain.account(launch.amm)
  if (!account) throw new Error('no bucket')
  for (const data of [
    Uint8Array.from(account.data, (byte, at) => (at === 0 ? UNKNOWN_KIND : byte)),
    account.data.slice(0, 100),
  ]) {
    local.chain.writeAccounts(new Map([[launch.amm, { ...account, data }]]))
    expect(await read()).toEqual([
      sale,
      { share: liquidity?.share, text: 'in a part that this version can’t read' },
    ])
  }
})
