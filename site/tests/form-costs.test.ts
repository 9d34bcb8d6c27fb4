import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import { expect, test } from 'vitest'
import { configOf, fundedWallet, land } from '../../service/src/agents/test-mints.ts'
import { postJson } from '../../service/src/testing/demo-launches.ts'
import { startTestService } from '../../service/src/testing/test-service.ts'
import { fetchRent } from '../src/lib/rpc.ts'
import { EMPTY_DRAFT, mintCost, toRequest } from '../src/pages/new-agent/agent-draft.ts'
import { buildLaunch, launchCost } from '../src/pages/new-launch/build-launch.ts'
import { type Draft, EMPTY_DRAFT as EMPTY_LAUNCH } from '../src/pages/new-launch/draft.ts'
import { decodeTransaction } from '../src/transactions/decode-transaction.ts'
import { simulateTransaction } from '../src/transactions/simulate.ts'
import { fromBase64 } from './test-rebuild.ts'

const signal = AbortSignal.timeout(120_000)
const publicUrl = 'https://slipway.example'

async function start() {
  const local = await startChain()
  const { url } = await startTestService({ config: { ...configOf(local), publicUrl } })
  return { local, url, rent: await fetchRent(local.rpcUrl, signal) }
}

test.each(['Ferry', 'Хранитель маяка старого порта'])(
  'the form for a new agent says what the transaction costs: %s',
  async name => {
    const { local, url, rent } = await start()
    const { address: wallet } = fundedWallet(local)
    const draft = { ...EMPTY_DRAFT, name, description: 'Finds the next ferry.' }
    const { body } = await postJson(`${url}/v1/agents/mint`, { ...toRequest(draft), wallet })
    const wire = fromBase64(body.tx)
    const { writable } = decodeTransaction(wire)
    const simulation = await simulateTransaction(local.rpcUrl, wire, wallet, signal, writable)
    expect(simulation).toMatchObject({ walletChangeLamports: -mintCost(draft, publicUrl, rent).total })
  },
)

test.each(['bondingCurve', 'launchpool'] as const)(
  'the form for a new launch says about what its transactions cost: %s',
  async mechanic => {
    const { local, url, rent } = await start()
    const key = fundedWallet(local)
    const draft: Draft = { ...EMPTY_LAUNCH, name: 'Tidewater', symbol: 'TIDE', mechanic, poolShare: '40' }
    const earner = createKeypair().address
    const launch = buildLaunch(draft, {
      ...{ wallet: key.address, earner, network: 'chain-mainnet' },
      ...{ pictureUrl: 'https://images.example/tidewater.png', nowMs: Date.now() },
    })
    const before = local.chain.account(key.address)?.lamports ?? 0n
    const { body } = await postJson(`${url}/v1/launches/create`, { wallet: key.address, launch })
    for (const tx of body.transactions) expect(await land(local, { tx }, key)).toBeNull()
    const paid = before - (local.chain.account(key.address)?.lamports ?? 0n)
    const { total } = launchCost(draft, rent)
    // Within one percent, and rounded up to a hundredth of a SOL.
    expect(Math.abs(Number(total - paid)), `paid ${paid}, said ${total}`).toBeLessThan(
      0.01 * Number(paid) + 10_000_000,
    )
  },
)
