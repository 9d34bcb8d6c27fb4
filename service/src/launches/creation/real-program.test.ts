// @module-tag timing
import {
  depositLaunchPoolV2,
  fetchGenesisAccountV2,
  fetchLaunchPoolBucketV2,
  findLaunchPoolBucketV2Pda,
  WRAPPED_SOL_MINT,
  withdrawLaunchPoolV2,
} from '@metaplex-foundation/genesis'
import { mintAndSubmitAgent } from '@metaplex-foundation/mpl-agent-registry'
import {
  createAssociatedToken,
  findAssociatedTokenPda,
  mplToolbox,
  syncNative,
  transferSol,
} from '@metaplex-foundation/mpl-toolbox'
import { publicKey, sol } from '@metaplex-foundation/umi'
import { folderWithBinaries, testRealPrograms } from '@slipway/local-chain/testing/real-programs'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import { expect } from 'vitest'
import { configOf, fundedWallet, land, mintBody, SOL, umiOf } from '../../agents/test-mints.ts'
import { authorityOf } from '../../chain/transactions/launch/launch-plan.ts'
import { postJson } from '../../testing/demo-launches.ts'
import { startTestService } from '../../testing/test-service.ts'
import { payloadOf, poolInput } from './test-launches.ts'

const PROGRAMS = ['Genesis', 'Token Metadata', 'MPL Core', 'MPL Agent Identity'] as const
const CONFIRMED = { confirm: { commitment: 'confirmed' }, send: { commitment: 'confirmed' } } as const

testRealPrograms(
  'the real Genesis program creates the launch pools of a wallet and of an agent, and takes deposits',
  async () => {
    const local = await startChain({ dataDir: folderWithBinaries(PROGRAMS) })
    const { url } = await startTestService({ config: configOf(local) })
    const wallet = fundedWallet(local)
    const umi = umiOf(local, wallet).use(mplToolbox())
    const { assetAddress: asset } = await mintAndSubmitAgent(umi, { baseUrl: url }, mintBody(wallet.address))
    const quote = findAssociatedTokenPda(umi, { mint: WRAPPED_SOL_MINT, owner: umi.identity.publicKey })[0]
    await createAssociatedToken(umi, { mint: WRAPPED_SOL_MINT })
      .add(transferSol(umi, { destination: quote, amount: sol(3) }))
      .add(syncNative(umi, { account: quote }))
      .sendAndConfirm(umi, CONFIRMED)
    for (const agent of [undefined, { mint: asset, setToken: false }]) {
      const { body } = await postJson(`${url}/v1/launches/create`, {
        ...withoutRaydium(wallet.address),
        agent,
      })
      for (const tx of body.transactions) expect(await land(local, { tx }, wallet)).toBeNull()
      const genesisAccount = publicKey(body.genesisAccount)
      const authority = authorityOf({
        wallet: wallet.address,
        agent: agent && { asset: asset as never, setsToken: false },
      })
      expect(await fetchGenesisAccountV2(umi, genesisAccount)).toMatchObject({
        finalized: true,
        authority,
        bucketCount: 3,
      })
      const bucket = findLaunchPoolBucketV2Pda(umi, { genesisAccount, bucketIndex: 0 })[0]
      const common = { genesisAccount, bucket, baseMint: publicKey(body.mintAddress) }
      await depositLaunchPoolV2(umi, { ...common, amountQuoteToken: SOL }).sendAndConfirm(umi, CONFIRMED)
      await withdrawLaunchPoolV2(umi, { ...common, amountQuoteToken: SOL / 2n }).sendAndConfirm(
        umi,
        CONFIRMED,
      )
      expect((await fetchLaunchPoolBucketV2(umi, bucket)).quoteTokenDepositTotal).toBe((SOL * 48n) / 100n)
    }
  },
  { programs: [...PROGRAMS] },
)

/** All proceeds go to one recipient: the public binary is older than the layout of the bucket for a Raydium pool. */
function withoutRaydium(wallet: string) {
  const payload = payloadOf(poolInput(wallet))
  const [pool, unlocked] = payload.launch.allocations
  const timestamp = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString()
  const claimStartCondition = { type: 'TimeAbsolute', timestamp }
  const [flow] = pool.launchpoolV2.fundFlows
  Object.assign(pool, { supply: 750_000_000 })
  Object.assign(pool.launchpoolV2, {
    claimStartCondition,
    fundFlows: [{ ...flow, percentageBps: 10_000, claimStartCondition }],
  })
  unlocked.unlockedV2.claimStartCondition = {
    type: 'TimeRelativeToUnknownAddress',
    bucketType: 'launchpoolV2',
    bucketIndex: 0,
    bucketTime: 'DepositEnd',
    timeOffset: 5,
  }
  return payload
}
