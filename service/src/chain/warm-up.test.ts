import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { warmUpChain } from './warm-up.ts'

const loaded = (name = '@metaplex-foundation/') =>
  Object.keys(createRequire(import.meta.url).cache).filter(path => path.includes(name))

test('nothing of the official clients is loaded before the service listens, all of it afterwards', async () => {
  expect(loaded()).toEqual([])
  await warmUpChain()
  for (const name of ['mpl-core', 'mpl-agent-registry', 'mpl-toolbox', 'mpl-token-metadata', 'genesis']) {
    expect(loaded(`@metaplex-foundation/${name}/`)).not.toEqual([])
  }
})

test('web3.js, which Umi brings along in its usual bundle, is not loaded', async () => {
  await warmUpChain()
  expect(loaded('@solana/web3.js')).toEqual([])
})
