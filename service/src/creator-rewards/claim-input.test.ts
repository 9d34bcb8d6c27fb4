import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { LocalChain } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { ErrorCode } from '@slipway/schema/errors'
import { expect, test } from 'vitest'
import { startTestChain } from '../chain/transactions/test-chain.ts'
import { tokensOf, writeLaunches } from '../official-clients/launches-with-fees.ts'
import { refusalOf } from '../testing/described-endpoints.ts'
import { signAndSend } from '../testing/sign-and-send.ts'
import { startTestService } from '../testing/test-service.ts'
import { claim, getRewards, NO_REWARDS, postClaim, recordIndex } from './test-claims.ts'

const start = async (local: LocalChain, isComplete = true) => {
  const service = await startTestService({
    config: { rpcUrls: { 'chain-mainnet': [local.rpcUrl], 'chain-devnet': [] } },
  })
  await recordIndex(service.connection, local, isComplete)
  return service
}

test('the first invalid field is reported, in the order body, wallet, payer, unwrap, network', async () => {
  const wallet = createKeypair().address
  const refuses = refusalOf('claimCreatorRewards')
  const cases: [unknown, ErrorCode | undefined][] = [
    ['wallet', 'INVALID_JSON'],
    [[], 'INVALID_JSON'],
    [{}, 'INVALID_WALLET'],
    [{ wallet: '' }, 'INVALID_WALLET'],
    [{ wallet: null }, 'INVALID_WALLET'],
    [{ wallet: 7 }, 'INVALID_WALLET'],
    [{ wallet: [wallet] }, 'INVALID_WALLET'],
    [{ wallet: ` ${wallet}` }, 'INVALID_WALLET'],
    [{ wallet: '1'.repeat(31) }, 'INVALID_WALLET'],
    [{ wallet: '1'.repeat(33) }, 'INVALID_WALLET'],
    [{ wallet: '0'.repeat(44) }, 'INVALID_WALLET'],
    [{ wallet: 'nobody', payer: 'nobody', network: 'moonnet' }, 'INVALID_WALLET'],
    [{ wallet, payer: 'nobody', network: 'moonnet' }, 'INVALID_PAYER'],
    [{ wallet, payer: '' }, 'INVALID_PAYER'],
    [{ wallet, unwrap: 'yes', network: 'moonnet' }, 'INVALID_UNWRAP'],
    // No key can sign for an agent's wallet.
    [{ wallet: assetSignerAddress(wallet), payer: wallet, unwrap: true }, 'INVALID_UNWRAP'],
    [{ wallet, payer: wallet, network: 'moonnet' }, 'INVALID_NETWORK'],
    [{ wallet, network: 'constructor' }, 'INVALID_NETWORK'],
    [{ wallet, payerMax: '0.1' }, 'INVALID_PAYER_MAX'],
    [{ wallet, payerMax: 0 }, 'INVALID_PAYER_MAX'],
    [{ wallet, network: 'solana-mainnet', more: 1 }, undefined],
  ]
  for (const [body, code] of cases) expect([body, refuses({ body })?.code]).toEqual([body, code])

  const { url } = await start(await startTestChain())
  for (const [body, message] of [
    ['{"wallet":', '✖ Invalid JSON body'],
    ['', '✖ Invalid wallet address'],
    [{ wallet, network: 'solana-devnet' }, '✖ Network does not match this server'],
  ])
    expect([body, await postClaim(url, body)]).toEqual([body, { status: 400, body: { error: { message } } }])
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
  expect((await getRewards(url, 'nobody')).body).toEqual({ error: { message: '✖ Invalid wallet address' } })
  expect((await getRewards(url, creator, '?network=chain-devnet')).body).toEqual({
    error: { message: '✖ Network does not match this server' },
  })
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
