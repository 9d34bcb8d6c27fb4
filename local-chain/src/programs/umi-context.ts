import { mplToolbox } from '@metaplex-foundation/mpl-toolbox'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'

/** Lets the official clients derive addresses and serialize. It never connects to its URL. */
export const umi = createUmi('http://127.0.0.1:1').use(mplToolbox())
