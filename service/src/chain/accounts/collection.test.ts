import {
  getPluginHeaderV1AccountDataSerializer,
  getPluginSerializer,
  Key,
  PluginType,
} from '@metaplex-foundation/mpl-core'
import { getCollectionV1AccountDataSerializer } from '@metaplex-foundation/mpl-core/dist/src/generated/types/collectionV1AccountData.js'
import { getPluginRegistryV1AccountDataSerializer } from '@metaplex-foundation/mpl-core/dist/src/generated/types/pluginRegistryV1AccountData.js'
import { CORE_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCollection } from './collection.ts'
import { anyAddress } from './test-accounts.ts'

const [address, authority, delegate, one, two] = fc.sample(anyAddress, 5) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]

const front = getCollectionV1AccountDataSerializer().serialize({
  key: Key.CollectionV1,
  updateAuthority: authority as never,
  name: 'Harbour crew ⚓',
  uri: 'https://a.example/crew.json',
  numMinted: 3,
  currentSize: 2,
} as never)

/** A collection account with plugins, as the official serializers write it. */
function withPlugins(plugins: { type: PluginType; data: Uint8Array; authority: object }[]): Uint8Array {
  const header = getPluginHeaderV1AccountDataSerializer()
  let offset = front.length + (header.fixedSize as number)
  const registry = plugins.map(({ type, data, authority }) => {
    const record = { pluginType: type, authority, offset: BigInt(offset) }
    offset += data.length
    return record
  })
  return Buffer.concat([
    front,
    header.serialize({ key: Key.PluginHeaderV1, pluginRegistryOffset: BigInt(offset) } as never),
    ...plugins.map(({ data }) => data),
    getPluginRegistryV1AccountDataSerializer().serialize({
      key: Key.PluginRegistryV1,
      registry,
      externalRegistry: [],
    } as never),
  ])
}

const updateDelegate = (additionalDelegates: Address[]) =>
  getPluginSerializer().serialize({ __kind: 'UpdateDelegate', fields: [{ additionalDelegates }] } as never)
const frozen = getPluginSerializer().serialize({
  __kind: 'FreezeDelegate',
  fields: [{ frozen: false }],
} as never)

const decode = (data: Uint8Array, owner: Address = CORE_PROGRAM) =>
  decodeCollection({ exists: true, address, owner, lamports: 1n, data })

test('a collection without plugins has its update authority and no delegates', () => {
  expect(decode(front)).toEqual({ exists: true, address, updateAuthority: authority, delegates: [] })
})

test('the update delegate and its additional delegates are found among other plugins', () => {
  const data = withPlugins([
    {
      type: PluginType.FreezeDelegate,
      data: frozen,
      authority: { __kind: 'Address', address: two },
    },
    {
      type: PluginType.UpdateDelegate,
      data: updateDelegate([one, two]),
      authority: { __kind: 'Address', address: delegate },
    },
  ])
  expect(decode(data)).toMatchObject({ updateAuthority: authority, delegates: [delegate, one, two] })
})

test('an update delegate that is the update authority itself adds no delegate', () => {
  const data = withPlugins([
    { type: PluginType.UpdateDelegate, data: updateDelegate([]), authority: { __kind: 'UpdateAuthority' } },
  ])
  expect(decode(data)).toMatchObject({ delegates: [] })
})

test('broken plugins hide neither the collection nor its authority', () => {
  const data = withPlugins([
    { type: PluginType.UpdateDelegate, data: updateDelegate([one]), authority: { __kind: 'None' } },
  ])
  for (let length = front.length; length < data.length; length += 1)
    expect(decode(data.subarray(0, length))).toMatchObject({ exists: true, updateAuthority: authority })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      expect(decode(Buffer.concat([front, bytes]))).toMatchObject({ updateAuthority: authority })
    }),
  )
})

test('an asset, an account of another program and a missing account are not collections', () => {
  expect(decode(Uint8Array.of(Key.AssetV1, 1, 2))).toMatchObject({ exists: false, reason: 'other-kind' })
  expect(decode(front, SYSTEM_PROGRAM)).toMatchObject({ exists: false, reason: 'foreign' })
  expect(decode(front.subarray(0, 20))).toMatchObject({ exists: false, reason: 'malformed' })
  expect(decodeCollection({ exists: false, address })).toMatchObject({ exists: false, reason: 'missing' })
})
