import { readFileSync } from 'node:fs'
import {
  depositLaunchPoolV2,
  fetchGenesisAccountV2,
  fetchLaunchPoolBucketV2,
  findLaunchPoolBucketV2Pda,
  refundLaunchPoolV2,
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
import { authorityOf } from '@slipway/launch-model/plan/launch-plan'
import type { LocalChain } from '@slipway/local-chain'
import { parseTransaction } from '@slipway/local-chain/ledger/parse-transaction'
import { decodeTokenAccount } from '@slipway/local-chain/ledger/token-balances'
import { folderWithBinaries, testRealPrograms } from '@slipway/local-chain/testing/real-programs'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import type { Address } from '@slipway/schema/address'
import { expect } from 'vitest'
import { configOf, fundedWallet, land, mintBody, SOL, umiOf } from '../../agents/test-mints.ts'
import { postJson } from '../../testing/demo-launches.ts'
import { startTestService } from '../../testing/test-service.ts'
import { poolWithoutRaydium } from './test-launches.ts'

const PROGRAMS = ['Genesis', 'Token Metadata', 'MPL Core', 'MPL Agent Identity'] as const
const LAUNCH_POOL_NOT_ENDED = 25
const CONFIRMED = { confirm: { commitment: 'confirmed' }, send: { commitment: 'confirmed' } } as const

testRealPrograms(
  'the real Genesis program creates the launch pools of a wallet and of an agent, takes deposits, and pays them back if the goal is missed',
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
        ...poolWithoutRaydium(wallet.address),
        agent,
      })
      for (const tx of body.transactions) expect(await land(local, { tx }, wallet)).toBeNull()
      assertUnits(local, body.genesisAccount, `launch pool without a Raydium pool${agent ? ', agent' : ''}`)
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
      const left = (SOL * 48n) / 100n
      const pool = await fetchLaunchPoolBucketV2(umi, bucket)
      expect(pool.quoteTokenDepositTotal).toBe(left)

      // Less than the goal of 2 SOL, so the deposit is paid back once deposits have ended.
      const built = refundLaunchPoolV2(umi, { ...common, recipient: umi.identity.publicKey })
      const signed = await (await built.setLatestBlockhash(umi)).buildAndSign(umi)
      const refund = parseTransaction(umi.transactions.serialize(signed))
      const { time: end } = pool.depositEndCondition as Extract<
        typeof pool.depositEndCondition,
        { __kind: 'TimeAbsolute' }
      >
      const held = () => decodeTokenAccount(local.chain.account(quote as string as Address))?.amount ?? 0n
      const before = held()
      expect(local.chain.simulate(refund).err).toEqual({
        InstructionError: [0, { Custom: LAUNCH_POOL_NOT_ENDED }],
      })
      expect(local.chain.submitAt(refund, Number(end)).err).toBeNull()
      expect(held() - before).toBe(left)
      expect((await fetchLaunchPoolBucketV2(umi, bucket)).refundCount).toBe(1n)
    }
  },
  { programs: [...PROGRAMS] },
)

/** Compute units vary with the addresses of a launch, by 1,500 for each attempt to derive one. */
const UNITS_TOLERANCE = 30_000

/** Compares the compute units that a launch's transactions used with `docs/launches.md`. */
function assertUnits({ chain }: LocalChain, genesisAccount: string, name: string): void {
  const transactions = [...chain.history.ofAddress(genesisAccount as Address)].reverse()
  const page = readFileSync(new URL('../../../../docs/launches.md', import.meta.url), 'utf8')
  const row = page.split('\n').find(line => line.startsWith(`| ${name} | `))
  const [, , bytes, units] = row?.split('|') ?? []
  expect(bytes?.trim()).toBe(transactions.map(({ wire }) => wire.length).join(', '))
  const documented = [...(units?.matchAll(/([\d,]+)–([\d,]+)/g) ?? [])].map(match =>
    match.slice(1).map(number => Number(number.replaceAll(',', ''))),
  )
  expect(documented).toHaveLength(transactions.length)
  transactions.forEach(({ unitsConsumed }, at) => {
    const [least = 0, most = 0] = documented[at] ?? []
    expect(unitsConsumed).toBeGreaterThanOrEqual(least - UNITS_TOLERANCE)
    expect(unitsConsumed).toBeLessThanOrEqual(most + UNITS_TOLERANCE)
  })
}
