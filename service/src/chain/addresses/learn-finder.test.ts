import { findBondingCurveBucketV2Pda } from '@metaplex-foundation/genesis'
import { findAssetSignerPda } from '@metaplex-foundation/mpl-core'
import { beforeEach, expect, test, vi } from 'vitest'
import { learnFinder, MARKS } from './learn-finder.ts'
import { findProgramAddress } from './program-address.ts'
import { CORE_PROGRAM, GENESIS_PROGRAM } from './programs.ts'

vi.mock(import('./program-address.ts'), { spy: true })
beforeEach(() => void vi.mocked(findProgramAddress).mockClear())

test('the official finder is asked once, and what was derived is remembered', () => {
  let asked = 0
  const find = learnFinder([MARKS.first, MARKS.byte], (context, key, index) => {
    asked++
    return findBondingCurveBucketV2Pda(context as never, { genesisAccount: key as never, bucketIndex: index })
  })
  const address = find(CORE_PROGRAM, 1)
  expect(find(CORE_PROGRAM, 1)).toBe(address)
  expect(find(CORE_PROGRAM, 2)).not.toBe(address)
  expect(find(GENESIS_PROGRAM, 1)).not.toBe(address)
  expect(find(CORE_PROGRAM, 1)).toBe(address)
  expect(asked).toBe(1)
  expect(findProgramAddress).toHaveBeenCalledTimes(3)
})

test('numbers that are no seeds are refused', () => {
  const find = learnFinder([MARKS.first, MARKS.byte], (context, key, index) =>
    findBondingCurveBucketV2Pda(context as never, { genesisAccount: key as never, bucketIndex: index }),
  )
  for (const wrong of [256, 1.5, -1, Number.NaN]) expect(() => find(CORE_PROGRAM, wrong)).toThrow('no seed')
})

test('an official finder that changes its seeds is noticed', () => {
  const find = learnFinder([MARKS.first, MARKS.second], (context, key, _other) =>
    findAssetSignerPda(context as never, { asset: key as never }),
  )
  expect(() => find(CORE_PROGRAM, GENESIS_PROGRAM)).toThrow('seeds')
})
