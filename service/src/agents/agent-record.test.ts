import { expect, test } from 'vitest'
import type { ListedAgent } from '../store/list-agents.ts'
import { agentRow } from '../testing/agent-rows.ts'
import { buildListedRecord } from './agent-record.ts'

const URI = 'https://agents.example/registration.json'
const URL_MAX = `https://agents.example/${'x'.repeat(2_025)}`
const AT = new Date()

function recordOf(registration: { image?: string; skills: object[] }, uri = URI, name = 'Tidewatch') {
  const { image = URL_MAX, skills } = registration
  const services = [{ name: 'A2A', endpoint: 'https://agents.example/', skills, domains: [] }]
  const documents = {
    registration: {
      uri,
      value: { name, description: '潮'.repeat(16_384), image, services },
      fields: { services: [{ name: 'A2A', endpoint: 'https://agents.example/' }] },
    },
  }
  const listed: ListedAgent = {
    version: '1',
    row: agentRow(name, { agentUri: uri, documents }),
    listing: {
      registeredAt: AT,
      indexedAt: AT,
      updatedAt: AT,
      registrationSignature: '5'.repeat(88),
      spotlightedAt: AT,
      verifiedAt: AT,
      hasServices: true,
    },
    authoredCard: null,
    cardOwner: null,
  }
  return buildListedRecord(listed, 'https://slipway.example')
}

const skillsOf = (count: number, description: string) =>
  Array.from({ length: count }, (_, at) => ({
    id: `skill-${at}`,
    name: `Skill ${at}`,
    description,
    tags: [`tag ${at}`],
  }))

test('a record has at most 8,000 bytes, and says which documents are missing', () => {
  const { record, skills } = recordOf({ skills: skillsOf(64, '発'.repeat(1_500)) })
  expect(Buffer.byteLength(JSON.stringify(record))).toBeLessThanOrEqual(8_000)
  expect(record).toMatchObject({ metadata: null, a2aCard: null, truncated: ['metadata', 'a2aCard'] })
  expect(record.image).toBe(URL_MAX)
  expect(record.description).toMatch(/^潮+…$/)
  expect(Buffer.byteLength(record.description)).toBeLessThanOrEqual(800)
  // The registry still finds it by its skills.
  expect(skills).toEqual({
    names: Array.from({ length: 20 }, (_, at) => `Skill ${at}`),
    tags: Array.from({ length: 20 }, (_, at) => `tag ${at}`),
  })
  const longest = recordOf({ skills: [] }, `data:application/json,${'%20'.repeat(4_000)}`, '"'.repeat(9_000))
  expect(Buffer.byteLength(JSON.stringify(longest.record))).toBeLessThanOrEqual(8_000)
  expect(longest.record).toMatchObject({ agentMetadataUri: null, isActive: true })
  expect(longest.record.truncated).toContain('agentMetadataUri')
})

test('a picture in the URL is left out if it is longer than 2 kB', () => {
  const image = `data:image/png;base64,${'A'.repeat(2_026)}`
  expect(recordOf({ image, skills: [] }).record.image).toBe(image)
  expect(recordOf({ image: `${image}A`, skills: [] }).record.image).toBeNull()
})
