import type { Address } from '@solana/kit'
import type { Invocation } from '../stand-in.ts'

const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111' as Address
const UNIX_TIME_OFFSET = 32

/** The chain's time in Unix seconds. */
export function readUnixTime(ctx: Invocation): bigint {
  const data = ctx.read(CLOCK_SYSVAR)?.data
  if (!data) throw new Error('the chain has no clock')
  return new DataView(data.buffer, data.byteOffset).getBigInt64(UNIX_TIME_OFFSET, true)
}
