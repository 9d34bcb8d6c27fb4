import {
  getAgentIdentityV1AccountDataSerializer,
  getAgentIdentityV2AccountDataSerializer,
} from '@metaplex-foundation/mpl-agent-registry'
import { CORE_PROGRAM, IDENTITY_PROGRAM } from '@slipway/launch-model/programs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeIdentity } from './identity.ts'
import { accepted, accountOf, anyAddress, damaged, HERE } from './test-accounts.ts'

const version1 = anyAddress.map(asset => ({
  asset,
  agentToken: null,
  data: getAgentIdentityV1AccountDataSerializer().serialize({ key: 1, bump: 254, asset } as never),
}))
const version2 = fc.tuple(anyAddress, fc.option(anyAddress)).map(([asset, agentToken]) => ({
  asset,
  agentToken,
  data: getAgentIdentityV2AccountDataSerializer().serialize({
    key: 2,
    bump: 254,
    asset,
    agentToken,
  } as never),
}))

test('both versions are decoded, with the agent token of version 2', () => {
  fc.assert(
    fc.property(fc.oneof(version1, version2), ({ asset, agentToken, data }) => {
      expect(decodeIdentity(accountOf(IDENTITY_PROGRAM, data))).toEqual({
        exists: true,
        address: HERE,
        version: data[0],
        asset,
        ...(agentToken && { agentToken }),
      })
    }),
    { numRuns: 300 },
  )
})

const OFFICIAL: Record<number, () => { deserialize(data: Uint8Array): [{ asset: string }, number] }> = {
  1: getAgentIdentityV1AccountDataSerializer,
  2: getAgentIdentityV2AccountDataSerializer,
}

test('an identity is decoded exactly when the official serializer accepts it', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(damaged(fc.oneof(version1, version2).map(({ data }) => data)), data => {
      const decoded = decodeIdentity(accountOf(IDENTITY_PROGRAM, data))
      seen.add(decoded.exists ? `version ${decoded.version}` : decoded.reason)
      const official = accepted(() => OFFICIAL[data[0] ?? 0]?.().deserialize(data)[0])?.value
      if (decoded.exists) expect(decoded.asset).toBe(official?.asset)
      else expect(official).toBeUndefined()
    }),
    { numRuns: 500 },
  )
  expect([...seen].sort()).toEqual(['malformed', 'other-kind', 'version 1', 'version 2'])
  expect(decodeIdentity({ exists: false, address: HERE })).toMatchObject({ reason: 'missing' })
  const [sample] = fc.sample(version2, 1)
  expect(decodeIdentity(accountOf(CORE_PROGRAM, sample?.data as Uint8Array))).toMatchObject({
    reason: 'foreign',
  })
})
