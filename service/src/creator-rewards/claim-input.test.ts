import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { LocalChain } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { expect, test } from 'vitest'
import { startTestChain } from '../chain/transactions/test-chain.ts'
import { tokensOf, writeLaunches } from '../official-clients/launches-with-fees.ts'
import { signAndSend } from '../testing/sign-and-send.ts'
import { startTestService } from '../testing/test-service.ts'
import { claim, getRewards, NO_REWARDS, postClaim, recordIndex } from './test-claims.ts'

const refusal = (message: string) => ({ status: 400, body: { error: { message } } })
const start = async (local: LocalChain, isComplete = true) => {
  const service = await startTestService({
    config: { rpcUrls: { 'chain-mainnet': [local.rpcUrl], 'chain-devnet': [] } },
  })
  await recordIndex(service.connection, local, isComplete)
  return service
}

test('the first invalid field is reported, in the order body, wallet, payer, unwrap, network', async () => {
  const { url } = await start(await startTestChain())
  const wallet = createKeypair().address
  const [json, badWallet, badPayer, badNetwork, otherNetwork] = [
    '✖ Invalid JSON body',
    '✖ Invalid wallet address',
    '✖ Invalid payer address',
    '✖ Invalid network',
    '✖ Network does not match this server',
  ] as const
  const cases: [unknown, string][] = [
    ['{"wallet":', json],
    ['wallet', json],
    ['[]', json],
    ['"text"', json],
    ['7', json],
    ['', badWallet],
    ['null', badWallet],
    [{}, badWallet],
    [{ wallet: '' }, badWallet],
    [{ wallet: null }, badWallet],
    [{ wallet: 7 }, badWallet],
    [{ wallet: [wallet] }, badWallet],
    [{ wallet: ` ${wallet}` }, badWallet],
    [{ wallet: '1'.repeat(31) }, badWallet],
    [{ wallet: '1'.repeat(33) }, badWallet],
    [{ wallet: `${wallet}${wallet}` }, badWallet],
    [{ wallet: '0'.repeat(44) }, badWallet],
    [{ wallet: 'nobody', payer: 'nobody', network: 'moonnet' }, badWallet],
    [{ wallet, payer: 'nobody', network: 'moonnet' }, badPayer],
    [{ wallet, payer: '' }, badPayer],
    [{ wallet, payer: null }, badPayer],
    [{ wallet, unwrap: 'yes', network: 'moonnet' }, '✖ Invalid unwrap'],
    [{ wallet, unwrap: null }, '✖ Invalid unwrap'],
    // No key can sign for an agent's wallet.
    [{ wallet: assetSignerAddress(wallet), payer: wallet, unwrap: true }, '✖ Invalid unwrap'],
    [{ wallet, payer: wallet, network: 'moonnet' }, badNetwork],
    [{ wallet, network: null }, badNetwork],
    [{ wallet, network: ['chain-mainnet'] }, badNetwork],
    [{ wallet, payerMax: '0.1' }, '✖ Invalid payerMax'],
    [{ wallet, payerMax: 0 }, '✖ Invalid payerMax'],
    [{ wallet, network: 'constructor' }, badNetwork],
    [{ wallet, network: 'chain-devnet' }, otherNetwork],
    [{ wallet, network: 'solana-devnet' }, otherNetwork],
  ]
  for (const [body, message] of cases)
    expect([body, await postClaim(url, body)]).toEqual([body, refusal(message)])
  for (const network of [undefined, '', 'chain-mainnet', 'solana-mainnet'])
    expect(await postClaim(url, { wallet, network, more: 1 })).toEqual(NO_REWARDS)
})

test("GET lists a wallet's claimable rewards, and refuses an invalid wallet or network", async () => {
  const chain = await startTestChain()
  const creator = createKeypair().address
  const [launch] = writeLaunches(chain, [
    {
      creator,
      curve: { accrued: 2n ** 63n, claimed: 1n },
      amm: { accrued: 8n, claimed: 8n, pool: 5n, poolBase: 9n },
    },
  ])
  const { url } = await start(chain, false)
  const { status, headers, body } = await getRewards(url, creator)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  const quoteMint = 'So11111111111111111111111111111111111111112'
  expect(body).toEqual({
    data: {
      wallet: creator,
      buckets: [
        {
          address: launch?.primary,
          kind: 'bondingCurveV2',
          genesisAddress: launch?.genesis,
          quoteMint,
          accrued: '9223372036854775808',
          claimed: '1',
          uncollected: '0',
          claimable: '9223372036854775807',
        },
        {
          address: launch?.amm,
          kind: 'raydiumCpmmV2',
          genesisAddress: launch?.genesis,
          quoteMint,
          accrued: '8',
          claimed: '8',
          uncollected: '5',
          claimable: '5',
        },
      ],
      totals: [
        {
          quoteMint,
          accrued: '9223372036854775816',
          claimed: '9',
          uncollected: '5',
          claimable: '9223372036854775812',
        },
      ],
    },
  })
  for (const [wallet, query, message] of [
    ['nobody', '', '✖ Invalid wallet address'],
    [creator, '?network=moonnet', '✖ Invalid network'],
    [creator, '?network=chain-devnet', '✖ Network does not match this server'],
  ] as const) {
    const answer = await getRewards(url, wallet, query)
    expect([answer.status, answer.body]).toEqual([400, { error: { message } }])
  }
})

test('an expired claim can be built again, and a claim that landed cannot land twice', async () => {
  const chain = await startTestChain()
  const creator = createKeypair()
  chain.airdrop(creator.address, 1_000_000_000n)
  writeLaunches(chain, [{ creator: creator.address, curve: { accrued: 77n, claimed: 0n } }])
  const { url, chains } = await start(chain, false)
  const build = async () => {
    const { transactions, blockhash } = await claim(url, { wallet: creator.address })
    return { transaction: transactions[0] as string, blockhash }
  }
  const late = await build()
  expect(late.blockhash.lastValidBlockHeight).toBeGreaterThan(chain.chain.slotAt('confirmed'))
  chain.skip(61_000)
  expect(late.blockhash.lastValidBlockHeight).toBeLessThan(chain.chain.slotAt('confirmed'))
  await expect(signAndSend['web3.js'](chain, late, creator)).rejects.toThrow('Blockhash not found')
  expect(tokensOf(chain, creator.address)).toBeUndefined()

  // Otherwise, the blockhash would be renewed every two seconds.
  await chains['chain-mainnet']?.blockhash.newer()
  const inTime = await build()
  expect(inTime.blockhash.blockhash).not.toBe(late.blockhash.blockhash)
  await signAndSend['web3.js'](chain, inTime, creator)
  expect(tokensOf(chain, creator.address)).toBe(77n)
  await expect(signAndSend['web3.js'](chain, inTime, creator)).rejects.toThrow('already been processed')
  expect(tokensOf(chain, creator.address)).toBe(77n)
  expect(await postClaim(url, { wallet: creator.address })).toEqual(NO_REWARDS)
})
