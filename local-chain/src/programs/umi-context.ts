import { mplToolbox } from '@metaplex-foundation/mpl-toolbox'
import { createBaseUmi, type Pda, type PublicKey } from '@metaplex-foundation/umi'
import { defaultProgramRepository } from '@metaplex-foundation/umi-program-repository'
import { addressAt, addressBytes } from '@slipway/launch-model/bytes/base58'
import { findProgramAddress, isOnCurve } from '@slipway/launch-model/bytes/program-address'
import { memoize } from '../memoize.ts'

const CACHED_MAX = 20_000

/** Lets the official clients derive addresses and serialize instructions. It has no keys and no connection. */
export const umi = createBaseUmi().use(defaultProgramRepository()).use(mplToolbox())
umi.rpc = { ...umi.rpc, getCluster: () => 'localnet' }

/** Cached: each look-up by name creates an error, with its stack, to find that the name is not an address. */
const { getPublicKey } = umi.programs
const programs = memoize(CACHED_MAX, (name: string): PublicKey => {
  const [identifier = '', fallback] = name.split(' ')
  return getPublicKey(identifier, fallback as PublicKey | undefined)
})
umi.programs.getPublicKey = (identifier, fallback, cluster) =>
  cluster === undefined
    ? programs(fallback === undefined ? identifier : `${identifier} ${fallback}`)
    : getPublicKey(identifier, fallback, cluster)

/**
 * Cached: deriving an address takes longer than most instructions, and clients and stand-ins derive the same ones
 * repeatedly.
 */
const derive = memoize(CACHED_MAX, (name: string): Pda => {
  const [program = '', ...seeds] = name.split(' ')
  const [address, bump] = findProgramAddress(
    addressBytes(program),
    seeds.map(seed => Buffer.from(seed, 'hex')),
  )
  return [addressAt(address), bump] as unknown as Pda
})

umi.eddsa = {
  ...umi.eddsa,
  isOnCurve: key => isOnCurve(addressBytes(key as string)),
  findPda: (program, seeds) =>
    derive([program, ...seeds.map(seed => Buffer.from(seed).toString('hex'))].join(' ')),
}
