import {
  type ClaimScheduleArgs,
  createTimeRelativeCondition,
  createTriggeredCondition,
  triggerBehaviorsV2,
  WRAPPED_SOL_MINT,
} from '@metaplex-foundation/genesis'
import { createAssociatedToken, mintTokensTo } from '@metaplex-foundation/mpl-toolbox'
import { type PublicKey, publicKey } from '@metaplex-foundation/umi'
import { getAddressEncoder } from '@solana/kit'
import { TOKEN_PROGRAM } from '../../ledger/account.ts'
import { compareSteps, type Step, type World } from '../../testing/compare-steps.ts'
import { BEGINNING, claimForTeam, openFeeAccount, startLaunchPool } from '../../testing/launch-pool.ts'
import { always, sendQuote, timeAt } from '../../testing/launches.ts'
import { readGenesis, testRealPrograms } from '../../testing/real-programs.ts'
import { asAddress } from '../../testing/umi-wallet.ts'
import { FEE_WALLET } from './checks.ts'

const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_100 }
const { start, end } = TIMES
const [BUYER, TEAM] = [3, 9]
const REAL = { programs: ['Genesis' as const, 'Token Metadata' as const] }
const bothWorlds = () => [startLaunchPool(), startLaunchPool(readGenesis())] as const

testRealPrograms(
  'claim schedules are refused like on the real Genesis program',
  async () => {
    const schedule = (more: Partial<ClaimScheduleArgs>): ClaimScheduleArgs => ({
      startCondition: timeAt(end),
      cliffCondition: timeAt(end),
      duration: 100n,
      period: 10n,
      cliffAmountBps: 0,
      reserved: Array(126).fill(0),
      ...more,
    })
    const refused: [Partial<ClaimScheduleArgs>, number | null][] = [
      [{ startCondition: always() }, 204],
      [{ startCondition: createTriggeredCondition(), period: 0n }, 204],
      [{ cliffCondition: always() }, 204],
      [{ cliffCondition: createTriggeredCondition(), duration: 0n }, 204],
      [{ period: 0n, duration: 0n }, 156],
      [{ duration: 0n, cliffAmountBps: 10_001 }, 158],
      [{ duration: 0n }, 157],
      [{ period: 101n, cliffAmountBps: 10_001 }, 158],
      [{ period: 101n }, 159],
      [{ period: 100n, cliffAmountBps: 10_000 }, null],
    ]
    const steps = refused.flatMap(([more, error]): Step[] => [
      {
        name: `pool with ${Object.keys(more)}`,
        build: ({ launch }) => launch.extendPool({ __kind: 'ClaimSchedule', claimSchedule: schedule(more) }),
        error,
      },
      {
        name: `presale with ${Object.keys(more)}`,
        build: ({ launch }) =>
          launch.extendPresale({ __kind: 'ClaimSchedule', claimSchedule: schedule(more) }),
        error,
      },
    ])
    const half = { baseTokenAllocation: 10n ** 14n }
    await compareSteps(bothWorlds(), [
      { name: 'initialize', build: ({ launch }) => launch.initialize(), error: null },
      { name: 'pool', build: ({ launch }) => launch.addPool(TIMES, half), error: null },
      { name: 'presale', build: ({ launch }) => launch.addPresale(TIMES, half), error: null },
      ...steps,
    ])
  },
  REAL,
)

const claim = (world: World, more: object = {}) => claimForTeam(world, world.depositor(TEAM).publicKey, more)

testRealPrograms(
  'a team claims its tokens and proceeds once, like on the real Genesis program',
  async () => {
    const quoteOf = (number: number) => (world: World) =>
      world.tokenAccount(world.depositor(number).publicKey)
    const replacing = (name: string, account: (world: World) => unknown) => (world: World) =>
      claim(world, { [name]: account(world) })
    const refused: Step[] = [
      {
        name: 'another recipient',
        build: replacing('recipient', world => world.depositor(5).publicKey),
        error: 39,
      },
      { name: 'a missing fee account', build: replacing('feeQuoteTokenAccount', quoteOf(7)), error: 169 },
      {
        name: 'a fee account of another',
        build: replacing('feeQuoteTokenAccount', quoteOf(BUYER)),
        error: 18,
      },
      {
        name: 'a fee account of another token',
        build: replacing('feeQuoteTokenAccount', world =>
          world.tokenAccount(publicKey(FEE_WALLET), world.launch.mint),
        ),
      },
      {
        name: 'the account of another bucket',
        build: replacing('bucketQuoteTokenAccount', quoteOf(BUYER)),
        error: 38,
      },
      {
        name: 'tokens of another',
        build: replacing('genesisBaseTokenAccount', world =>
          world.tokenAccount(world.depositor(BUYER).publicKey, world.launch.mint),
        ),
      },
      {
        name: 'to another account',
        build: replacing('recipientBaseTokenAccount', world =>
          world.tokenAccount(world.depositor(BUYER).publicKey, world.launch.mint),
        ),
      },
      { name: 'another bucket', build: replacing('bucket', ({ launch }) => launch.pool) },
    ]
    await compareSteps(bothWorlds(), [
      { name: 'initialize', build: ({ launch }) => launch.initialize(), error: null },
      { name: 'pool', build: ({ launch }) => launch.addPool(TIMES), error: null },
      {
        name: 'behaviors',
        build: ({ launch }) => launch.setPoolBehaviors(sendQuote(launch.unlocked, 10_000)),
        error: null,
      },
      {
        name: 'unlocked',
        build: ({ launch, depositor }) =>
          launch.addUnlocked(depositor(TEAM).publicKey, {
            claimStartCondition: createTimeRelativeCondition(launch.pool, 1, 5n),
            claimEndCondition: timeAt(end + 500),
          }),
        error: null,
      },
      { name: 'fee account', build: openFeeAccount, error: null },
      { name: 'not finalized', build: claim, error: 22 },
      { name: 'finalize', build: ({ launch }) => launch.finalize(launch.pool, launch.unlocked), error: null },
      { name: 'wallet', build: world => world.wrapSol(BUYER, 5_000_000_000n), error: null },
      { name: 'deposit', build: world => world.deposit(BUYER, 3_000_000_007n), error: null, at: start },
      { name: 'too early', build: claim, error: 22 },
      { name: 'behaviors', build: world => world.triggerBehaviors(), error: null, at: end + 1 },
      { name: 'not triggered', build: claim, error: 22, at: end + 10 },
      {
        name: 'conditions',
        build: ({ launch, triggerConditions }) => triggerConditions(launch.unlocked, launch.pool),
        error: null,
      },
      ...refused,
      { name: 'claim', build: claim, error: null },
      { name: 'claim again', build: claim, error: 169 },
      {
        name: 'reopened account',
        build: ({ umi, launch }) =>
          createAssociatedToken(umi, { mint: WRAPPED_SOL_MINT, owner: launch.unlocked }),
        error: null,
      },
      { name: 'claim again', build: claim },
      { name: 'too late', build: claim, at: end + 500 },
    ])
  },
  REAL,
)

/** Besides wrapped native currency, the program of March takes no other token. */
const USDC = publicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')

testRealPrograms(
  'a team gets proceeds in another token into its own account, like on the real Genesis program',
  async () => {
    for (const deposited of [true, false]) {
      const worlds = bothWorlds()
      for (const world of worlds) writeMint(world, USDC)
      const quote = { quoteMint: USDC }
      const holder = (world: World) => world.depositor(BUYER).publicKey
      const destinations = ({ launch, tokenAccount }: World) =>
        [launch.unlocked, tokenAccount(launch.unlocked, USDC)].map(pubkey => ({
          pubkey,
          isSigner: false,
          isWritable: true,
        }))
      const builds: Step['build'][] = [
        ({ launch }) => launch.initialize(quote),
        ({ launch }) => launch.addPool(TIMES, quote),
        ({ launch }) => launch.setPoolBehaviors(sendQuote(launch.unlocked, 10_000)),
        ({ launch, depositor }) => launch.addUnlocked(depositor(TEAM).publicKey, quote),
        ({ launch }) => launch.finalize(launch.pool, launch.unlocked),
        world => createAssociatedToken(world.umi, { mint: USDC, owner: holder(world) }),
        world =>
          mintTokensTo(world.umi, {
            mint: USDC,
            token: world.tokenAccount(holder(world), USDC),
            amount: 1_000_000n,
          }),
      ]
      await compareSteps(worlds, [
        ...builds.map((build, at) => ({ name: `creation ${at}`, build, error: null })),
        ...(deposited
          ? [
              {
                name: 'deposit',
                build: (world: World) => world.deposit(BUYER, 900_007n, quote),
                error: null,
                at: start,
              },
            ]
          : []),
        {
          name: 'behaviors',
          build: world =>
            triggerBehaviorsV2(world.umi, {
              genesisAccount: world.launch.genesisAccount,
              baseMint: world.launch.mint,
              primaryBucket: world.launch.pool,
              ...quote,
            }).addRemainingAccounts(destinations(world)),
          error: null,
          at: end,
        },
        { name: 'claim', build: world => claim(world, quote), error: null },
        { name: 'claim again', build: world => claim(world, quote) },
      ])
    }
  },
  REAL,
)

/** A mint whose tokens the payer can create. */
function writeMint({ chain, umi }: World, mint: PublicKey): void {
  const data = new Uint8Array(82)
  data.set([1], 0)
  data.set(getAddressEncoder().encode(asAddress(umi.payer.publicKey)), 4)
  data.set([6, 1], 44)
  const lamports = chain.vm.rentExemptMinimum(data.length)
  chain.writeAccounts(
    new Map([[asAddress(mint), { data, lamports, owner: TOKEN_PROGRAM, executable: false }]]),
  )
}
