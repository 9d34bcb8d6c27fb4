import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { DESCRIBED_ENDPOINTS } from '../../testing/described-endpoints.ts'
import { createOpenApi } from './openapi.ts'

const openApi = createOpenApi(DESCRIBED_ENDPOINTS, { publicUrl: 'https://slipway.example' })
const text = JSON.stringify(openApi, null, 2)

test('Redocly reports no problem in the document', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })
  const found = problems.map(
    ({ ruleId, message, location: [place] }) => `${ruleId} ${place?.pointer}: ${message}`,
  )
  expect(found).toEqual([])
})

test('every tag of an operation is described', () => {
  const described = openApi.tags.filter(({ description }) => description).map(({ name }) => name)
  const used = Object.values(openApi.paths).flatMap(path =>
    Object.values(path ?? {}).flatMap(({ tags }) => tags),
  )
  expect([...new Set(used)].filter(tag => !described.includes(tag))).toEqual([])
  expect(used.length).toBeGreaterThan(20)
})

test('every parameter, header and field has a description', () => {
  const missing: string[] = []
  visit(openApi, '#', (part, pointer) => {
    const isDescribed = typeof part.description === 'string' && part.description !== ''
    const isField = /\/(properties|parameters|headers)\/[^/]+$/.test(pointer)
    if (isField && !isDescribed && part.$ref === undefined) missing.push(pointer)
  })
  expect(missing).toEqual([])
})

type Part = Record<string, unknown>

function visit(part: unknown, pointer: string, onObject: (part: Part, pointer: string) => void): void {
  if (typeof part !== 'object' || part === null || pointer.endsWith('/examples')) return
  if (!Array.isArray(part)) onObject(part as Part, pointer)
  for (const [key, value] of Object.entries(part))
    visit(value, `${pointer}/${key.replaceAll('/', '~1')}`, onObject)
}
