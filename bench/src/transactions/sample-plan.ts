import { buildCreateLaunchPayload } from '@metaplex-foundation/genesis'
import { genesisAddress } from '@slipway/launch-model/addresses'
import type { LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import { outlineLaunch } from '@slipway/launch-model/plan/outline-launch'
import { planBuckets } from '@slipway/launch-model/plan/plan-buckets'
import { TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { CreateLaunchBody } from '@slipway/schema/create-launch'

/** A launch pool or a bonding curve as the official SDK requests it. */
export function samplePlan(isPool: boolean, wallet: Address, mint: Address): LaunchPlan {
  const token = { name: 'Tidewater', symbol: 'TIDE', image: 'https://images.example/tidewater.png' }
  const payload = buildCreateLaunchPayload(
    isPool
      ? {
          wallet,
          token,
          launchType: 'launchpool',
          launch: {
            launchpool: {
              tokenAllocation: 500_000_000,
              depositStartTime: '2030-01-01T00:00:00Z',
              raiseGoal: 250,
              raydiumLiquidityBps: 5_000,
              fundsRecipient: wallet,
            },
          },
        }
      : { wallet, token, launchType: 'bondingCurve', launch: {} },
  )
  const { launch } = CreateLaunchBody.parse(JSON.parse(JSON.stringify(payload)))
  const genesis = genesisAddress(mint)
  return {
    wallet,
    mint,
    genesis,
    quoteMint: launch.quoteMint,
    quoteTokenProgram: TOKEN_PROGRAM,
    token: {
      ...token,
      uri: `https://slipway.example/v1/documents/${'a'.repeat(64)}.json`,
      decimals: launch.decimals,
      supply: 10n ** 15n,
    },
    ...planBuckets(launch, outlineLaunch(launch), { genesis, quoteDecimals: 9 }),
    isFinalized: true,
  }
}
