import { setImmediate as nextTurn } from 'node:timers/promises'

/** A package comes after those that it imports. */
const PACKAGES = [
  () => import('@solana/kit'),
  () => import('litesvm'),
  () => import('@metaplex-foundation/mpl-toolbox'),
  () => import('@metaplex-foundation/mpl-token-metadata'),
  () => import('@metaplex-foundation/mpl-core'),
  () => import('@metaplex-foundation/mpl-agent-registry'),
  () => import('@metaplex-foundation/genesis'),
]

/** Loads the local chain into a process that serves requests: its packages at once would block it for most of a second. */
export async function loadLocalChain(): Promise<typeof import('./index.ts')> {
  for (const load of PACKAGES) {
    await load()
    await nextTurn()
  }
  return import('./index.ts')
}
