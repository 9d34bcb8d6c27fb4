import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  depositLaunchPoolV2,
  depositPresaleV2,
  fetchLaunchPoolBucketV2,
  fetchPresaleBucketV2,
} from '@metaplex-foundation/genesis'
import { publicKey } from '@metaplex-foundation/umi'
import { expect, test, vi } from 'vitest'
import { buildWorld } from '../../src/world/build-world.ts'
import { WRAPPED_SOL } from '../../src/world/launch-accounts.ts'
import { associatedToken, buildTokenAccount } from '../../src/world/token-accounts.ts'
import { startChain, temporaryFolder } from '../start-chain.ts'
import { asAddress, mustSend, wallet } from './on-chain.ts'

vi.setConfig({ testTimeout: 90_000 })

const BINARY = fileURLToPath(
  new URL('../../.programs/GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B.so', import.meta.url),
)

test.skipIf(!existsSync(BINARY))('the real Genesis program works with the launches of the demo', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'programs'))
  cpSync(BINARY, join(dataDir, 'programs', 'GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B.so'))
  const local = await startChain({ dataDir })
  const world = await buildWorld(local, {
    documentsUrl: 'http://127.0.0.1:1',
    environment: 'mainnet',
    size: 'full',
  })
  const umi = wallet(local)
  const rent = local.chain.vm.rentExemptMinimum
  const payer = asAddress(umi.payer.publicKey)
  const feeWallet = asAddress('9kFjQsxtpBsaw8s7aUyiY3wazYDNgFP4Lj5rsBVVF8tb')
  local.chain.writeAccounts(
    new Map([
      [associatedToken(WRAPPED_SOL, payer), buildTokenAccount(WRAPPED_SOL, payer, 50_000_000_000n, rent)],
      [associatedToken(WRAPPED_SOL, feeWallet), buildTokenAccount(WRAPPED_SOL, feeWallet, 0n, rent)],
    ]),
  )
  const of = (slug: string) => {
    const launch = world.launches.find(({ entry }) => entry.slug === slug)
    if (!launch) throw new Error(slug)
    return {
      launch,
      accounts: {
        genesisAccount: publicKey(launch.genesisAddress),
        bucket: publicKey(launch.addresses.primary),
        baseMint: publicKey(launch.mint),
      },
    }
  }
  const pool = of('orchard-ledger').accounts
  const sale = of('cold-harbour').accounts
  const amountQuoteToken = 1_000_000_000n
  const before = [
    await fetchLaunchPoolBucketV2(umi, pool.bucket),
    await fetchPresaleBucketV2(umi, sale.bucket),
  ]
  await mustSend(local, umi, depositLaunchPoolV2(umi, { ...pool, amountQuoteToken }))
  await mustSend(local, umi, depositPresaleV2(umi, { ...sale, amountQuoteToken }))
  const after = [
    await fetchLaunchPoolBucketV2(umi, pool.bucket),
    await fetchPresaleBucketV2(umi, sale.bucket),
  ]
  expect(after.map(bucket => bucket.quoteTokenDepositTotal)).toEqual(
    before.map(bucket => bucket.quoteTokenDepositTotal + amountQuoteToken),
  )
  // What was not to change has not moved: every field was where the program looks for it.
  expect(after.map(bucket => bucket.depositEndCondition)).toEqual(
    before.map(bucket => bucket.depositEndCondition),
  )
})
