import { hash } from 'node:crypto'
import { isOnCurve } from './on-curve.ts'

const MARKER = new TextEncoder().encode('ProgramDerivedAddress')
const BUMP_MAX = 255
const SEED_BYTES_MAX = 32
/** The bump is one more. */
const SEEDS_MAX = 15

/** The address that a program signs for with these seeds: the first one off the curve, with the bump counted down from 255. */
export function findProgramAddress(
  program: Uint8Array,
  seeds: readonly Uint8Array[],
): [address: Uint8Array, bump: number] {
  if (seeds.length > SEEDS_MAX) throw new RangeError('too many seeds')
  let length = 1 + program.length + MARKER.length
  for (const seed of seeds) {
    if (seed.length > SEED_BYTES_MAX) throw new RangeError('a seed is too long')
    length += seed.length
  }
  const hashed = new Uint8Array(length)
  let at = 0
  for (const seed of seeds) {
    hashed.set(seed, at)
    at += seed.length
  }
  hashed.set(program, at + 1)
  hashed.set(MARKER, at + 1 + program.length)
  for (let bump = BUMP_MAX; bump >= 0; bump--) {
    hashed[at] = bump
    const address = hash('sha256', hashed, 'buffer')
    if (!isOnCurve(address)) return [address, bump]
  }
  throw new RangeError('no address for these seeds')
}
