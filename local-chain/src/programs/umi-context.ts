import { mplToolbox } from '@metaplex-foundation/mpl-toolbox'
import type { EddsaInterface, Pda } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'

const CACHED_MAX = 20_000

/** Lets the official clients derive addresses and serialize. It never connects to its URL. */
export const umi = createUmi('http://127.0.0.1:1').use(mplToolbox())
umi.eddsa = withCachedAddresses(umi.eddsa)

/** Deriving an address takes longer than most instructions, and clients and stand-ins derive the same ones repeatedly. */
function withCachedAddresses(eddsa: EddsaInterface): EddsaInterface {
  const cache = new Map<string, Pda>()
  return {
    ...eddsa,
    findPda(program, seeds) {
      const key = [program, ...seeds.map(seed => Buffer.from(seed).toString('hex'))].join(' ')
      const known = cache.get(key)
      if (known) return known
      const derived = eddsa.findPda(program, seeds)
      if (cache.size >= CACHED_MAX) cache.clear()
      cache.set(key, derived)
      return derived
    },
  }
}
