import {
  getAgentIdentityV1AccountDataSerializer,
  getAgentIdentityV2AccountDataSerializer,
} from '@metaplex-foundation/mpl-agent-registry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CORE_PROGRAM, IDENTITY_PROGRAM } from '../addresses/programs.ts'
import { decodeIdentity } from './identity.ts'
import { accountOf, anyAddress, damaged, HERE } from './test-accounts.ts'

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

test('both versions are read, the token of the second too', () => {
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

test('what is no identity is a value', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(damaged(fc.oneof(version1, version2).map(({ data }) => data)), data => {
      const decoded = decodeIdentity(accountOf(IDENTITY_PROGRAM, data))
      seen.add(decoded.exists ? `version ${decoded.version}` : decoded.reason)
      if (decoded.exists) expect(data.length).toBeGreaterThanOrEqual(decoded.version === 1 ? 40 : 104)
    }),
    { numRuns: 1_500 },
  )
  expect([...seen].sort()).toEqual(['malformed', 'other-kind', 'version 1', 'version 2'])
  expect(decodeIdentity({ exists: false, address: HERE })).toMatchObject({ reason: 'missing' })
  const [sample] = fc.sample(version2, 1)
  expect(decodeIdentity(accountOf(CORE_PROGRAM, sample?.data as Uint8Array))).toMatchObject({
    reason: 'foreign',
  })
})
