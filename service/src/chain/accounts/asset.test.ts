import {
  deserializeAssetV1,
  type ExternalPluginAdapter,
  HookableLifecycleEvent,
  Key,
} from '@metaplex-foundation/mpl-core'
import {
  appendExternalPlugin,
  encodeAsset,
  encodeCollection,
} from '@slipway/local-chain/programs/core/layout'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { CORE_PROGRAM, SYSTEM_PROGRAM } from '../addresses/programs.ts'
import { decodeAsset, decodeAssetHead } from './asset.ts'
import { decodeCollection } from './collection.ts'
import { accountOf, anyAddress, damaged, HERE, u64 } from './test-accounts.ts'

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

test('reads what the official serializer reads, plugins included', () => {
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
    { numRuns: 400 },
  )
})

test('the quick look at the head agrees with the official serializer about everything, broken accounts included', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(damaged(asset), data => {
      const account = accountOf(CORE_PROGRAM, data)
      const full = decodeAsset(account)
      const head = decodeAssetHead(account)
      seen.add(full.exists ? 'exists' : full.reason)
      if (!full.exists) {
        expect(head).toEqual(full)
        return
      }
      const { owner, updateAuthority, collection } = full
      expect(head).toEqual({
        exists: true,
        address: HERE,
        owner,
        updateAuthority,
        ...(collection && { collection }),
      })
    }),
    { numRuns: 1_500 },
  )
  expect([...seen].sort()).toEqual(['burnt', 'exists', 'malformed', 'other-kind'])
})

test('what is no live asset says why', () => {
  const front = simpleAsset()
  const collection = encodeCollection({
    key: Key.CollectionV1,
    updateAuthority: HERE,
    name: 'C',
    uri: 'u',
    numMinted: 3,
    currentSize: 2,
  } as never)
  const reasons = (['decodeAsset', 'decodeAssetHead'] as const).map(name => {
    const decode = { decodeAsset, decodeAssetHead }[name]
    return [
      decode({ exists: false, address: HERE }),
      decode(accountOf(SYSTEM_PROGRAM, front)),
      decode(accountOf(CORE_PROGRAM, Uint8Array.of(0))),
      decode(accountOf(CORE_PROGRAM, collection)),
      decode(accountOf(CORE_PROGRAM, front.subarray(0, 40))),
      decode(accountOf(CORE_PROGRAM, new Uint8Array())),
      // A hashed asset keeps its owner elsewhere.
      decode(accountOf(CORE_PROGRAM, Uint8Array.from([2, ...front.subarray(1)]))),
    ].map(decoded => (decoded.exists ? 'exists' : decoded.reason))
  })
  const expected = ['missing', 'foreign', 'burnt', 'other-kind', 'malformed', 'malformed', 'other-kind']
  expect(reasons).toEqual([expected, expected])
  expect(decodeCollection(accountOf(CORE_PROGRAM, collection))).toEqual({
    exists: true,
    address: HERE,
    updateAuthority: HERE,
    name: 'C',
    uri: 'u',
    size: 2,
  })
  expect(decodeCollection(accountOf(CORE_PROGRAM, front))).toMatchObject({ reason: 'other-kind' })
})

test('plugins that cannot be read do not hide an asset', () => {
  const front = simpleAsset()
  const agent = withPlugin(front, { type: 6, value: { __kind: 'AgentIdentity', fields: [{ uri: 'doc' }] } })
  const cut = agent.subarray(0, agent.length - 5)
  expect(() => official(cut)).toThrow()
  expect(decodeAsset(accountOf(CORE_PROGRAM, cut))).toMatchObject({ exists: true, owner: HERE, name: 'A' })
  expect(decodeAsset(accountOf(CORE_PROGRAM, agent))).toMatchObject({ agentUri: 'doc' })
})

test('nothing is written to the console, whatever strangers put into plugins', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  fc.assert(
    fc.property(damaged(asset), data => void decodeAsset(accountOf(CORE_PROGRAM, data))),
    { numRuns: 300 },
  )
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})

test('an account inside of a larger buffer is read in its place', () => {
  const front = simpleAsset({ __kind: 'Collection', fields: [CORE_PROGRAM as Address] })
  const padded = Uint8Array.from([9, 9, 9, ...front, 9, 9]).subarray(3, 3 + front.length)
  expect(decodeAssetHead(accountOf(CORE_PROGRAM, padded))).toMatchObject({
    owner: HERE,
    collection: CORE_PROGRAM,
  })
})
