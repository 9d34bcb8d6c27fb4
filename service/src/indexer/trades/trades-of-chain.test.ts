import { kindOf } from '@slipway/launch-model/kinds/kinds'
import { decode } from '@slipway/launch-model/bytes/codec'
import { decodeTrades } from '@slipway/launch-model/history/decode-trades'
import { expect, test } from 'vitest'
import { useDemo } from '../../testing/demo.ts'
import { openTestRpc } from '../testing/test-rpc.ts'

const demo = useDemo()

test('x', async () => {
  const { local, world } = demo.chainOf()
  const rpc = openTestRpc(local.rpcUrl)
  for (const launch of world.launches) {
    const all = await rpc.fetchSignatures(launch.genesisAddress)
    const txs = []
    for (const { signature } of all) txs.push(await rpc.fetchTransaction(signature))
    const trades = txs.flatMap(tx => decodeTrades({ genesis: launch.genesisAddress, baseMint: launch.mint, pools: [] }, tx))
    console.log(launch.entry.slug, launch.plan.mechanic, all.length, txs.filter(t => t.created.has(launch.genesisAddress)).length, trades.length, trades[0])
  }
  expect(1).toBe(1)
})
