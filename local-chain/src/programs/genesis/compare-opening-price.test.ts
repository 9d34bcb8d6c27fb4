import {
  findRaydiumBucketSignerPda,
  triggerBehaviorsV2,
  WRAPPED_SOL_MINT,
} from '@metaplex-foundation/genesis'
import { createAssociatedToken } from '@metaplex-foundation/mpl-toolbox'
import { expect } from 'vitest'
import { compareSteps, type World } from '../../testing/compare-steps.ts'
import { BEGINNING, depositInPresale, startLaunchPool } from '../../testing/launch-pool.ts'
import { always, sendPrice, sendQuote } from '../../testing/launches.ts'
import { readGenesis, testRealPrograms } from '../../testing/real-programs.ts'
import { asAddress } from '../../testing/umi-wallet.ts'
import { raydiumCpmm } from './buckets.ts'
import { GENESIS } from './checks.ts'

const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_100 }
const { start, end } = TIMES
const [BUYER, TEAM] = [3, 9]

testRealPrograms(
  'a sale hands its price to its pool like on the real Genesis program',
  async () => {
    for (const kind of ['pool', 'presale'] as const)
      for (const deposited of [true, false]) {
        const worlds = [startLaunchPool(), startLaunchPool(readGenesis())] as const
        const isPool = kind === 'pool'
        const behaviors = ({ launch }: World) => [sendPrice(launch.raydium), sendQuote(launch.raydium, 5_000)]
        await compareSteps(worlds, [
          { name: 'initialize', build: ({ launch }) => launch.initialize(), error: null },
          {
            name: 'sale',
            build: ({ launch }) => (isPool ? launch.addPool(TIMES) : launch.addPresale(TIMES)),
            error: null,
          },
          {
            name: 'behaviors',
            build: world =>
              isPool
                ? world.launch.setPoolBehaviors(...behaviors(world))
                : world.launch.setPresaleBehaviors(...behaviors(world)),
            error: null,
          },
          {
            name: 'unlocked',
            build: ({ launch, depositor }) => launch.addUnlocked(depositor(TEAM).publicKey),
            error: null,
          },
          {
            name: 'finalize',
            build: ({ launch }) => launch.finalize(launch[kind], launch.unlocked),
            error: null,
          },
          { name: 'wallet', build: world => world.wrapSol(BUYER, 5_000_000_000n), error: null },
          {
            name: "the pool's account",
            build: world =>
              createAssociatedToken(world.umi, { mint: WRAPPED_SOL_MINT, owner: bucketSigner(world) }),
            error: null,
          },
          ...(deposited
            ? [
                {
                  name: 'deposit',
                  build: (world: World) =>
                    isPool
                      ? world.deposit(BUYER, 3_000_000_007n)
                      : depositInPresale(world, BUYER, 3_000_000_007n),
                  error: null,
                  at: start,
                },
              ]
            : []),
        ])
        for (const world of worlds) writeRaydiumBucket(world)
        const outcomes = await compareSteps(worlds, [
          {
            name: 'trigger',
            build: world => trigger(world, kind),
            at: end,
            error: isPool && !deposited ? 86 : null,
          },
        ])
        expect(outcomes.succeeded + outcomes.refused).toBe(1)
      }
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

const bucketSigner = ({ umi, launch }: World) =>
  findRaydiumBucketSignerPda(umi, { bucket: launch.raydium })[0]

/** The program of March can't add the bucket of today's client, but its behaviors write to the same fields. */
function writeRaydiumBucket(world: World): void {
  const { chain, launch } = world
  const blank = raydiumCpmm.blank()
  const [, bump] = raydiumCpmm.pda(launch.genesisAccount, 0)
  const data = raydiumCpmm.serialize({
    ...blank,
    bucketSigner: bucketSigner(world),
    startCondition: always(),
    bucket: { ...blank.bucket, bump, genesis: launch.genesisAccount, baseTokenAllocation: 10n ** 14n },
  })
  const lamports = chain.vm.rentExemptMinimum(data.length)
  chain.writeAccounts(
    new Map([[asAddress(launch.raydium), { data, lamports, owner: GENESIS, executable: false }]]),
  )
}

const trigger = (world: World, kind: 'pool' | 'presale') =>
  triggerBehaviorsV2(world.umi, {
    genesisAccount: world.launch.genesisAccount,
    baseMint: world.launch.mint,
    primaryBucket: world.launch[kind],
  }).addRemainingAccounts(
    [world.launch.raydium, world.tokenAccount(bucketSigner(world))].map(pubkey => ({
      pubkey,
      isSigner: false,
      isWritable: true,
    })),
  )
