import { mplToolbox } from '@metaplex-foundation/mpl-toolbox'
import { createBaseUmi, type Pda } from '@metaplex-foundation/umi'
import { defaultProgramRepository } from '@metaplex-foundation/umi-program-repository'
import { addressAt, addressBytes } from '@slipway/launch-model/bytes/base58'
import { findProgramAddress, isOnCurve } from '@slipway/launch-model/bytes/program-address'
import { memoize } from '../memoize.ts'

const CACHED_MAX = 20_000

/** Lets the official clients derive addresses and serialize instructions. It has no keys and no connection. */
export const umi = createBaseUmi().use(defaultProgramRepository()).use(mplToolbox())
umi.rpc = { ...umi.rpc, getCluster: () => 'localnet' }

/** Cached: deriving an address takes longer than most instructions, and clients and stand-ins derive the same ones repeatedly. */
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
