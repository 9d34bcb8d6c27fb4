import { bucketAddress } from '@slipway/launch-model/addresses'
import { decode, encode } from '@slipway/launch-model/bytes/codec'
import { genesisAccountLayout } from '@slipway/launch-model/genesis-account'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import { expect, test } from 'vitest'
import { writeLaunches } from '../../service/src/official-clients/launches-with-fees.ts'
import { readTerms } from '../src/pages/launch/read-terms.ts'

const UNKNOWN_KIND = 250

async function startWithLaunch() {
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
  return { local, launch, read }
}

test('a part of a kind that the page doesn’t know, or with another layout, is a row of its own beside the others', async () => {
  const { local, launch, read } = await startWithLaunch()
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

test('a launch with more parts than a node sends at a time is read whole', async () => {
  const { local, launch, read } = await startWithLaunch()
  const [account, genesis] = [launch.amm, launch.genesis].map(address => local.chain.account(address))
  if (!account || !genesis) throw new Error('no launch')
  const pools = Array.from({ length: 30 }, (_, at) => bucketAddress('raydiumCpmmV2', launch.genesis, at))
  const decoded = decode(genesisAccountLayout, genesis.data)
  const data = encode(genesisAccountLayout, { ...decoded, bucketCount: 31 })
  local.chain.writeAccounts(
    new Map([...pools.map(pool => [pool, account] as const), [launch.genesis, { ...genesis, data }]]),
  )
  const tokens = await read()
  expect(tokens).toHaveLength(31)
  expect(tokens.map(({ text }) => text).join()).not.toMatch(/can’t read/)
})
