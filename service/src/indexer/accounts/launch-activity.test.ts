import { GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import { officialBuckets } from '@slipway/launch-model/testing/official-buckets'
import { expect, test } from 'vitest'
import type { AccountReader } from '../../chain/account-reader.ts'
import { decodeBucket } from '../../chain/accounts/bucket.ts'
import { accountOf } from '../../chain/accounts/test-accounts.ts'
import { addressOf } from '../../testing/launch-rows.ts'
import { collectActivity, type ReadLaunch } from './launch-activity.ts'

const reader: AccountReader = {
  fetchAccounts: async addresses => ({
    slot: 1,
    accounts: addresses.map(address => ({ exists: false, address })),
  }),
}
const times = { of: async () => new Date(0) }
const NOW_MS = 1_700_000_000_000
const database = { nowMs: () => NOW_MS }

/** A launch pool that has just been read for the first time. */
function launch(more: Partial<ReadLaunch> = {}): ReadLaunch {
  const { serializer, blank } = officialBuckets.launchpoolV2
  const bucket = decodeBucket(accountOf(GENESIS_PROGRAM, serializer.serialize(blank)))
  if (!bucket.exists) throw new Error(bucket.reason)
  return {
    known: {
      address: addressOf('bucket'),
      genesisAddress: addressOf('launch'),
      kind: 'launchpoolV2',
      digest: null,
      changedAt: null,
      registeredAt: new Date(0),
      launchId: 'id',
      mint: addressOf('mint'),
      graduatedAt: null,
      source: null,
    },
    buckets: [bucket],
    isChanged: true,
    pool: undefined,
    changedAt: new Date(0),
    ...more,
  }
}

test('a block time in the future counts as now, so that it does not hold back later states', async () => {
  const changedAt = new Date(NOW_MS + 1)
  const { activity } = await collectActivity({ reader, times, database }, [launch({ changedAt })], 7)
  expect(activity).toMatchObject([{ launchId: 'id', slot: 7, raised: '0', time: new Date(NOW_MS) }])
})

test('without its mints, a launch has figures but no decimals, and the mints are looked for again after a change', async () => {
  const { sources } = await collectActivity({ reader, times, database }, [launch()], 7)
  expect(sources).toEqual([
    { launchId: 'id', quoteMint: null, quoteDecimals: null, baseDecimals: null, goal: null, pool: null },
  ])
  const { known } = launch()
  const [source = null] = sources
  const again = (isChanged: boolean) =>
    collectActivity({ reader, times, database }, [launch({ known: { ...known, source }, isChanged })], 8)
  expect(await again(false)).toEqual({ activity: [], sources: [] })
  expect((await again(true)).activity).toHaveLength(1)
})
