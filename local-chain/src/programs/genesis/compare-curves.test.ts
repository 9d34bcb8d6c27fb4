import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  FeeDiscriminants,
  getGenesisAccountV2AccountDataSerializer,
  SwapDirection,
  swapBondingCurveV2,
} from '@metaplex-foundation/genesis'
import { expect } from 'vitest'
import type { ChainAccount } from '../../ledger/account.ts'
import { BEGINNING, startLaunchPool } from '../../testing/launch-pool.ts'
import { always, CURVE_NUMBERS, timeAt } from '../../testing/launches.ts'
import { testRealPrograms } from '../../testing/real-programs.ts'
import { BINARIES_DIRECTORY, COMPARED_PROGRAMS } from '../../testing/report-skipped.ts'
import { asAddress } from '../../testing/umi-wallet.ts'
import { WRAPPED_SOL } from '../../world/launch-accounts.ts'
import { buildTokenAccount } from '../../world/token-accounts.ts'
import { withoutExtensions } from './blank.ts'
import { bondingCurve } from './buckets.ts'
import { GENESIS } from './checks.ts'

type World = ReturnType<typeof startLaunchPool>
const BASE_TOKEN_OWNER = 10

// The public binary cannot create curves and knows no creator fees, but it trades on a curve that was written for it.
testRealPrograms(
  'buys and sells on a curve without a creator fee move the same amounts as on the real Genesis program',
  async () => {
    const programs = new Map(
      [COMPARED_PROGRAMS.Genesis, COMPARED_PROGRAMS['Token Metadata']].map(address => [
        address as never,
        readFileSync(join(BINARIES_DIRECTORY, `${address}.so`)),
      ]),
    )
    const [standIn, real] = [startLaunchPool(), startLaunchPool(programs)]
    for (const world of [standIn, real]) {
      expect((await world.send(world.launch.initialize())).err).toBeNull()
      writeCurve(world)
      expect((await world.send(world.wrapSol(3, 500_000_000_000n))).err).toBeNull()
    }
    const trades = [
      [SwapDirection.Buy, 1_000_000_000n],
      [SwapDirection.Buy, 1_000n],
      [SwapDirection.Buy, 7_777_777_777n],
      [SwapDirection.Sell, 1_000_000_001n],
      [SwapDirection.Sell, 1n],
      [SwapDirection.Sell, 33_333_333_333_333n],
      [SwapDirection.Sell, 0n],
      [SwapDirection.Sell, 10n ** 15n],
      [SwapDirection.Buy, 300_000_000_000n],
      [SwapDirection.Buy, 1_000_000n],
      [SwapDirection.Sell, 717_948_717_948_717n],
      [SwapDirection.Sell, 1_000n],
    ] as const
    for (const [direction, amount] of trades) {
      const results = []
      for (const world of [standIn, real]) {
        const { err } = await world.send(swap(world, direction, amount, world === real))
        results.push({ direction, amount, err, ...holdings(world) })
      }
      expect(results[0]).toEqual(results[1])
    }
  },
  { programs: ['Genesis', 'Token Metadata'] },
)

/** The older instruction has one owner of both token accounts, and so one account less. */
function swap(world: World, swapDirection: SwapDirection, amount: bigint, older: boolean) {
  const owner = world.depositor(3)
  return swapBondingCurveV2(world.umi, {
    genesisAccount: world.launch.genesisAccount,
    bucket: world.launch.curve,
    baseMint: world.launch.mint,
    baseTokenAccount: world.tokenAccount(owner.publicKey, world.launch.mint),
    quoteTokenAccount: world.tokenAccount(owner.publicKey),
    quoteTokenOwner: owner,
    baseTokenOwner: owner,
    swapDirection,
    amount,
    minAmountOutScaled: 0n,
  }).mapInstructions(item => ({
    ...item,
    instruction: {
      ...item.instruction,
      keys: item.instruction.keys.filter((_, index) => !older || index !== BASE_TOKEN_OWNER),
    },
  }))
}

function holdings({ launch, account, tokens, depositor, feeAccount }: World) {
  const curve = bondingCurve.deserialize(account(launch.curve)?.data ?? new Uint8Array())[0]
  const trader = depositor(3).publicKey
  return {
    quoteTokenDepositTotal: curve.quoteTokenDepositTotal,
    balances: [curve.bucket.baseTokenBalance, curve.bucket.quoteTokenBalance],
    traded: [tokens(trader), tokens(trader, launch.mint)],
    held: [tokens(launch.curve), tokens(launch.genesisAccount, launch.mint)],
    fees: account(feeAccount)?.lamports,
  }
}

/** An open curve with a fee of 2 %, and no end that a trade could bring about. */
function writeCurve({ chain, launch, tokenAccount }: World): void {
  const rent = chain.vm.rentExemptMinimum
  const own = (data: Uint8Array): ChainAccount => ({
    lamports: rent(data.length),
    owner: GENESIS,
    data,
    executable: false,
  })
  const blank = bondingCurve.blank()
  const curve = bondingCurve.serialize({
    ...blank,
    depositFeeType: FeeDiscriminants.BasisPoints,
    depositFee: 200n,
    withdrawFeeType: FeeDiscriminants.BasisPoints,
    withdrawFee: 200n,
    bucket: {
      ...blank.bucket,
      bump: bondingCurve.pda(launch.genesisAccount, 0)[1],
      feeType: FeeDiscriminants.Flat,
      genesis: launch.genesisAccount,
      baseTokenAllocation: CURVE_NUMBERS.onCurve,
      baseTokenBalance: CURVE_NUMBERS.onCurve,
      baseMint: null,
      quoteMint: null,
    },
    swapStartCondition: always(),
    swapEndCondition: timeAt(BEGINNING + 1_000_000),
    extensions: withoutExtensions(blank.extensions),
    constantProductParams: {
      virtualSol: CURVE_NUMBERS.virtualSol,
      virtualTokens: CURVE_NUMBERS.virtualTokens,
    },
  })
  const serializer = getGenesisAccountV2AccountDataSerializer()
  const genesis = chain.account(asAddress(launch.genesisAccount))?.data
  if (!genesis) throw new Error('there is no launch')
  chain.writeAccounts(
    new Map([
      [asAddress(launch.curve), own(curve)],
      [
        asAddress(tokenAccount(launch.curve)),
        buildTokenAccount(WRAPPED_SOL, asAddress(launch.curve), 0n, rent),
      ],
      [
        asAddress(launch.genesisAccount),
        own(serializer.serialize({ ...serializer.deserialize(genesis)[0], finalized: true, bucketCount: 1 })),
      ],
    ]),
  )
}
