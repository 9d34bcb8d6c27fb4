import type { Mechanic } from './launch.ts'

/** The kinds of bucket that a launch is made of: its mechanic, and the pool that it graduates into. */
export type BucketKind = Mechanic | 'raydiumCpmmV2'
