import { startChain } from '@slipway/local-chain/testing/start-chain'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { configOf, fundedWallet, land } from '../../service/src/agents/test-mints.ts'
import { curveInput, payloadOf } from '../../service/src/launches/creation/test-launches.ts'
import { postJson } from '../../service/src/testing/demo-launches.ts'
import { startTestService } from '../../service/src/testing/test-service.ts'
import { assertEarlierSteps } from '../src/transactions/plan-launch.ts'
import { type Intent, reviewTransactions } from '../src/transactions/review.ts'
import { fromBase64, NO_FACTS } from './test-rebuild.ts'

test('a launch is continued only from the first step that the chain doesn’t show', async () => {
  const local = await startChain()
  const { url } = await startTestService({ config: configOf(local) })
  const key = fundedWallet(local)
  const wallet = key.address as string as Address
  const bought = { firstBuyAmount: 0.1, creatorFeeWallet: wallet }
  const payload = payloadOf(curveInput(wallet, bought))
  const { body: created } = await postJson(`${url}/v1/launches/create`, payload)
  const transactions: string[] = created.transactions
  const intent = {
    kind: 'create-launch',
    genesisAccount: created.genesisAccount,
    mint: created.mintAddress,
    launch: payload.launch,
  } as Intent
  const continueFrom = async (first: number, given = intent) => {
    const reviews = await reviewTransactions(
      transactions.slice(first).map(fromBase64),
      given,
      wallet,
      NO_FACTS,
    )
    return assertEarlierSteps(local.rpcUrl, reviews, AbortSignal.timeout(60_000)).then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  }
  expect(transactions).toHaveLength(3)
  expect(await continueFrom(0)).toBe('accepted')
  for (const [landed, tx] of transactions.entries()) {
    for (let first = 1; first < transactions.length; first++)
      expect(await continueFrom(first), `${landed} landed, continued from ${first}`).toMatch(
        first <= landed ? 'accepted' : 'leave out a step that is not on the chain',
      )
    expect(await land(local, { tx }, key)).toBeNull()
  }
  // The chain has another supply than the person entered.
  const other = { ...intent, launch: { ...payload.launch, supply: 999_999_999 } } as Intent
  expect(await continueFrom(2, other)).toMatch(/differs there from your entries/)
})
