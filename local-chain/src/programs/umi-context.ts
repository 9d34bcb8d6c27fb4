import { mplToolbox } from '@metaplex-foundation/mpl-toolbox'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'

/** For what the official clients derive and serialize. It never speaks to its address. */
export const umi = createUmi('http://127.0.0.1:1').use(mplToolbox())
