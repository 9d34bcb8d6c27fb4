import { createRequire } from 'node:module'

/**
 * The program clients that the makers of the programs publish. Loading all of them takes most of a second, so each is
 * loaded when it is first asked for. They are CommonJS: required, they load in half the time that importing them takes,
 * and with one copy of Umi instead of two.
 */
const load = createRequire(import.meta.url)

export const officialClients = {
  umi: once(() => load('@metaplex-foundation/umi') as typeof import('@metaplex-foundation/umi')),
  core: once(() => load('@metaplex-foundation/mpl-core') as typeof import('@metaplex-foundation/mpl-core')),
  identity: once(
    () =>
      load(
        '@metaplex-foundation/mpl-agent-registry',
      ) as typeof import('@metaplex-foundation/mpl-agent-registry'),
  ),
  toolbox: once(
    () => load('@metaplex-foundation/mpl-toolbox') as typeof import('@metaplex-foundation/mpl-toolbox'),
  ),
  tokenMetadata: once(
    () =>
      load(
        '@metaplex-foundation/mpl-token-metadata',
      ) as typeof import('@metaplex-foundation/mpl-token-metadata'),
  ),
  genesis: once(() => load('@metaplex-foundation/genesis') as typeof import('@metaplex-foundation/genesis')),
}

/** Serializers of MPL Core that its front page does not export: an account without its plugins, and their registry. */
export const coreInternals = {
  asset: once(
    () =>
      load(
        '@metaplex-foundation/mpl-core/dist/src/generated/types/assetV1AccountData.js',
      ) as typeof import('@metaplex-foundation/mpl-core/dist/src/generated/types/assetV1AccountData.js'),
  ),
  collection: once(
    () =>
      load(
        '@metaplex-foundation/mpl-core/dist/src/generated/types/collectionV1AccountData.js',
      ) as typeof import('@metaplex-foundation/mpl-core/dist/src/generated/types/collectionV1AccountData.js'),
  ),
  registry: once(
    () =>
      load(
        '@metaplex-foundation/mpl-core/dist/src/hooked/pluginRegistryV1Data.js',
      ) as typeof import('@metaplex-foundation/mpl-core/dist/src/hooked/pluginRegistryV1Data.js'),
  ),
}

/** Makes a value when it is first wanted, and keeps it. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
