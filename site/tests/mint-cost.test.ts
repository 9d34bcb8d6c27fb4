import { startChain } from '@slipway/local-chain/testing/start-chain'
import { expect, test } from 'vitest'
import { configOf, fundedWallet } from '../../service/src/agents/test-mints.ts'
import { postJson } from '../../service/src/testing/demo-launches.ts'
import { startTestService } from '../../service/src/testing/test-service.ts'
import { EMPTY_DRAFT, toRequest } from '../src/pages/new-agent/agent-draft.ts'
import { mintCost } from '../src/pages/new-agent/mint-cost.ts'
import { decodeTransaction } from '../src/transactions/decode-transaction.ts'
import { simulateTransaction } from '../src/transactions/simulate.ts'
import { fromBase64 } from './test-rebuild.ts'

test.each(['Ferry', 'Хранитель маяка старого порта'])(
  'the form for a new agent says what the transaction costs: %s',
  async name => {
    const local = await startChain()
    const publicUrl = 'https://slipway.example'
    const { url } = await startTestService({ config: { ...configOf(local), publicUrl } })
    const { address: wallet } = fundedWallet(local)
    const draft = { ...EMPTY_DRAFT, name, description: 'Finds the next ferry.' }
    const { body } = await postJson(`${url}/v1/agents/mint`, { ...toRequest(draft), wallet })
    const wire = fromBase64(body.tx)
    const { writable } = decodeTransaction(wire)
    const simulation = await simulateTransaction(
      local.rpcUrl,
      wire,
      wallet,
      AbortSignal.timeout(60_000),
      writable,
    )
    expect(simulation).toMatchObject({ walletChangeLamports: -BigInt(mintCost(draft, publicUrl).total) })
  },
)
