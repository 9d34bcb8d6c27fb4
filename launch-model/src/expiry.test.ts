import { expect, test } from 'vitest'
import { BLOCKS_TO_EXPIRY, describeBlocks } from './expiry.ts'

test('a number of blocks is shown with the seconds that it takes, if that was measured', () => {
  expect(describeBlocks(BLOCKS_TO_EXPIRY, 200)).toBe('150 blocks (about 30 s now)')
  expect(describeBlocks(BLOCKS_TO_EXPIRY, 50)).toBe('150 blocks (about 8 s now)')
  expect(describeBlocks(1, 200)).toBe('1 block (about 1 s now)')
  expect(describeBlocks(BLOCKS_TO_EXPIRY, undefined)).toBe('150 blocks')
})
