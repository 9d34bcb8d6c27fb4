import {
  deserializeAssetV1,
  type ExternalPluginAdapter,
  ExternalPluginAdapterType,
  getExternalPluginAdapterSerializer,
  getPluginHeaderV1AccountDataSerializer,
  HookableLifecycleEvent,
  Key,
} from '@metaplex-foundation/mpl-core'
import { getAssetV1AccountDataSerializer } from '@metaplex-foundation/mpl-core/dist/src/generated/types/assetV1AccountData.js'
import { getPluginRegistryV1AccountDataSerializer as getGeneratedRegistrySerializer } from '@metaplex-foundation/mpl-core/dist/src/generated/types/pluginRegistryV1AccountData.js'
import { getPluginRegistryV1AccountDataSerializer } from '@metaplex-foundation/mpl-core/dist/src/hooked/pluginRegistryV1Data.js'
import { CORE_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import {
  appendExternalPlugin,
  encodeAsset,
  encodeCollection,
} from '@slipway/local-chain/programs/core/layout'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeAsset } from './asset.ts'
import { accepted, accountOf, anyAddress, damaged, HERE, u64 } from './test-accounts.ts'

const text = fc.string({ unit: 'binary', maxLength: 60 }).map(value => value.replaceAll('\0', ''))
const authority = fc.oneof(
  fc.constant({ __kind: 'None' }),
  anyAddress.map(address => ({ __kind: 'Address', fields: [address] })),
  anyAddress.map(address => ({ __kind: 'Collection', fields: [address] })),
)
const plainAsset = fc
  .record({ owner: anyAddress, updateAuthority: authority, name: text, uri: text, seq: fc.option(u64) })
  .map(value => encodeAsset({ key: Key.AssetV1, ...value } as never))

const plugin = fc.oneof(
  text.map(uri => ({ type: 6, value: { __kind: 'AgentIdentity', fields: [{ uri }] } })),
  anyAddress.map(signer => ({
    type: 4,
    value: {
      __kind: 'LinkedAppData',
      fields: [{ dataAuthority: { __kind: 'Address', address: signer }, schema: 0 }],
    },
  })),
)
const withPlugin = (data: Uint8Array, { type, value }: { type: number; value: unknown }): Uint8Array =>
  appendExternalPlugin(
    data,
    value as ExternalPluginAdapter,
    {
      pluginType: type,
      authority: { __kind: 'UpdateAuthority' },
      lifecycleChecks: { __option: 'Some', value: [[HookableLifecycleEvent.Execute, { flags: 7 }]] },
    } as never,
  )
const asset = fc
  .tuple(plainAsset, fc.array(plugin, { maxLength: 3 }))
  .map(([data, plugins]) => plugins.reduce(withPlugin, data))

const official = (data: Uint8Array) =>
  deserializeAssetV1({ publicKey: HERE, data, executable: false, owner: CORE_PROGRAM, lamports: 1 } as never)
const simpleAsset = (updateAuthority: object = { __kind: 'None' }) =>
  encodeAsset({ key: Key.AssetV1, owner: HERE, updateAuthority, name: 'A', uri: 'u', seq: null } as never)

test('an asset is decoded as the official client decodes it, plugins included', () => {
  fc.assert(
    fc.property(asset, data => {
      const expected = official(data)
      const { type, address } = expected.updateAuthority
      const decoded = decodeAsset(accountOf(CORE_PROGRAM, data))
      expect(decoded).toEqual({
        exists: true,
        address: HERE,
        owner: expected.owner,
        updateAuthority: type === 'None' ? { kind: 'none' } : { kind: type.toLowerCase(), address },
        ...(type === 'Collection' && { collection: address }),
        name: expected.name,
        uri: expected.uri,
        ...(expected.agentIdentities && { agentUri: expected.agentIdentities[0]?.uri }),
      })
    }),
    { numRuns: 150 },
  )
})

/** The agent URI by the official serializers, which throw for plugins that they cannot read. */
function officialAgentUri(data: Uint8Array, end: number): string | undefined {
  if (end >= data.length) return undefined
  const [header] = getPluginHeaderV1AccountDataSerializer().deserialize(data, end)
  const [registry] = getPluginRegistryV1AccountDataSerializer().deserialize(
    data,
    Number(header.pluginRegistryOffset),
  )
  const { AgentIdentity } = ExternalPluginAdapterType
  const record = registry.externalRegistry.find(({ pluginType }) => pluginType === AgentIdentity)
  if (!record) return undefined
  const [adapter] = getExternalPluginAdapterSerializer().deserialize(data, Number(record.offset))
  return adapter.__kind === 'AgentIdentity' ? adapter.fields[0].uri : undefined
}

test('damaged bytes are an asset exactly when the official serializer accepts them', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(damaged(asset), data => {
      const decoded = decodeAsset(accountOf(CORE_PROGRAM, data))
      seen.add(decoded.exists ? 'exists' : decoded.reason)
      if (data[0] !== Key.AssetV1) {
        expect(decoded).toMatchObject({
          exists: false,
          reason: data.length === 0 ? 'malformed' : data[0] === 0 ? 'burnt' : 'other-kind',
        })
        return
      }
      const expected = accepted(() => getAssetV1AccountDataSerializer().deserialize(data))
      if (!expected) {
        expect(decoded).toMatchObject({ exists: false, reason: 'malformed' })
        return
      }
      const [{ owner, name, uri }, end] = expected.value
      expect(decoded).toMatchObject({ exists: true, owner, name, uri })
      const agentUri = accepted(() => officialAgentUri(data, end))
      if (agentUri && decoded.exists) expect(decoded.agentUri).toBe(agentUri.value)
    }),
    { numRuns: 500 },
  )
  expect([...seen].sort()).toEqual(['burnt', 'exists', 'malformed', 'other-kind'])
})

const pluginAuthority = fc.oneof(
  fc.constantFrom({ __kind: 'None' }, { __kind: 'Owner' }, { __kind: 'UpdateAuthority' }),
  anyAddress.map(address => ({ __kind: 'Address', address })),
)
const lifecycleChecks = fc.array(
  fc.tuple(
    fc.nat(4),
    fc.nat().map(flags => ({ flags })),
  ),
  { maxLength: 3 },
)
const pluginRecord = fc.record({ pluginType: fc.nat(9), authority: pluginAuthority, offset: u64 })
const externalRecord = fc.record({
  pluginType: fc.nat(5),
  authority: pluginAuthority,
  lifecycleChecks: fc.option(lifecycleChecks),
  offset: u64,
  dataOffset: fc.option(u64),
  dataLen: fc.option(u64),
})

test('the agent URI is found among any other plugins', () => {
  fc.assert(
    fc.property(
      fc.array(pluginRecord, { maxLength: 4 }),
      fc.array(externalRecord, { maxLength: 3 }),
      externalRecord,
      fc.array(externalRecord, { maxLength: 3 }),
      text,
      (registry, before, identity, after, uri) => {
        const front = simpleAsset()
        const adapter = getExternalPluginAdapterSerializer().serialize({
          __kind: 'AgentIdentity',
          fields: [{ uri }],
        } as never)
        const adapterOffset = front.length + HEADER_BYTES
        const header = getPluginHeaderV1AccountDataSerializer().serialize({
          key: Key.PluginHeaderV1,
          pluginRegistryOffset: adapterOffset + adapter.length,
        } as never)
        const agent = {
          ...identity,
          pluginType: ExternalPluginAdapterType.AgentIdentity,
          offset: adapterOffset,
        }
        const plugins = getGeneratedRegistrySerializer().serialize({
          key: Key.PluginRegistryV1,
          registry,
          externalRegistry: [...before, agent, ...after],
        } as never)
        const data = Uint8Array.from([...front, ...header, ...adapter, ...plugins])
        expect(officialAgentUri(data, front.length)).toBe(uri)
        expect(decodeAsset(accountOf(CORE_PROGRAM, data))).toMatchObject({ exists: true, agentUri: uri })
      },
    ),
    { numRuns: 300 },
  )
})
const HEADER_BYTES = 9

test('every kind of update authority that the official client knows is decoded', () => {
  const data = simpleAsset({ __kind: 'Address', fields: [CORE_PROGRAM] })
  for (let kind = 0; kind < 256; kind += 1) {
    const bytes = data.with(33, kind)
    const expected = accepted(() => getAssetV1AccountDataSerializer().deserialize(bytes))
    expect(decodeAsset(accountOf(CORE_PROGRAM, bytes)).exists).toBe(expected !== undefined)
  }
})

test('an account that is not a live asset says why', () => {
  const front = simpleAsset()
  const collection = encodeCollection({
    key: Key.CollectionV1,
    updateAuthority: HERE,
    name: 'C',
    uri: 'u',
    numMinted: 3,
    currentSize: 2,
  } as never)
  const reasons = [
    decodeAsset({ exists: false, address: HERE }),
    decodeAsset(accountOf(SYSTEM_PROGRAM, front)),
    decodeAsset(accountOf(CORE_PROGRAM, Uint8Array.of(0))),
    decodeAsset(accountOf(CORE_PROGRAM, collection)),
    decodeAsset(accountOf(CORE_PROGRAM, front.subarray(0, 40))),
    decodeAsset(accountOf(CORE_PROGRAM, new Uint8Array())),
    // A hashed asset keeps its owner elsewhere.
    decodeAsset(accountOf(CORE_PROGRAM, Uint8Array.from([2, ...front.subarray(1)]))),
  ].map(decoded => (decoded.exists ? 'exists' : decoded.reason))
  expect(reasons).toEqual([
    'missing',
    'foreign',
    'burnt',
    'other-kind',
    'malformed',
    'malformed',
    'other-kind',
  ])
})

test('an asset whose plugins are damaged is still decoded, without its agent URI', () => {
  const front = simpleAsset()
  const agent = withPlugin(front, { type: 6, value: { __kind: 'AgentIdentity', fields: [{ uri: 'doc' }] } })
  const cut = agent.subarray(0, agent.length - 5)
  expect(() => official(cut)).toThrow()
  expect(decodeAsset(accountOf(CORE_PROGRAM, cut))).toEqual({
    exists: true,
    address: HERE,
    owner: HERE,
    updateAuthority: { kind: 'none' },
    name: 'A',
    uri: 'u',
  })
  expect(decodeAsset(accountOf(CORE_PROGRAM, agent))).toMatchObject({ agentUri: 'doc' })
})

test('an account inside a larger buffer is decoded in place', () => {
  const front = simpleAsset({ __kind: 'Collection', fields: [CORE_PROGRAM as Address] })
  const padded = Uint8Array.from([9, 9, 9, ...front, 9, 9]).subarray(3, 3 + front.length)
  expect(decodeAsset(accountOf(CORE_PROGRAM, padded))).toMatchObject({
    owner: HERE,
    collection: CORE_PROGRAM,
  })
})
