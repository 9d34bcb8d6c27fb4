import { Validator } from '@seriousme/openapi-schema-validator'
import { CreateLaunchBody } from '@slipway/schema/create-launch'
import { ERRORS } from '@slipway/schema/errors'
import { expect, test } from 'vitest'
import { listEndpoints } from '../../app/list-endpoints.ts'
import { parseConfig } from '../../config.ts'
import { postJson } from '../../testing/demo-launches.ts'
import { rawRequest } from '../../testing/raw-request.ts'
import { startTestService } from '../../testing/test-service.ts'
import type { OpenApi } from './openapi.ts'

const endpoints = listEndpoints({
  ...parseConfig({}),
  database: undefined as never,
  chains: {},
  snapshots: undefined as never,
  agents: undefined as never,
  agentList: undefined as never,
  events: undefined as never,
  rewards: {},
  social: undefined as never,
  register: undefined as never,
  launchPage: '',
})

async function fetchOpenApi(): Promise<OpenApi> {
  const { url } = await startTestService()
  return (await rawRequest(url, '/openapi.json')).json() as OpenApi
}

test('/openapi.json is valid OpenAPI 3.1 according to an independent validator', async () => {
  const openApi = await fetchOpenApi()
  const validator = new Validator()
  const result = await validator.validate(structuredClone(openApi) as unknown as Record<string, unknown>)
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('the document has every endpoint with a valid example, and every error with its text', async () => {
  const openApi = await fetchOpenApi()
  for (const endpoint of endpoints) {
    const operation = openApi.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
    expect(operation?.operationId).toBe(endpoint.id)
    expect(() => endpoint.success.schema.parse(endpoint.success.example)).not.toThrow()
    const text = JSON.stringify(operation?.responses)
    for (const code of [
      ...Object.values(endpoint.faults),
      ...endpoint.errors,
      'TOO_MANY_REQUESTS',
      'SERVICE_UNAVAILABLE',
      endpoint.unexpected ?? 'INTERNAL',
    ] as const) {
      expect(text).toContain(JSON.stringify(ERRORS[code].text))
      expect(Object.keys(operation?.responses ?? {})).toContain(`${ERRORS[code].status}`)
    }
  }
})

test('the document has an example request to create a launch, and the details of an empty one', async () => {
  const { url } = await startTestService()
  const openApi = (await rawRequest(url, '/openapi.json')).json() as OpenApi
  const create = openApi.paths['/v1/launches/create']?.post
  const examples = CreateLaunchBody.meta()?.examples as object[]
  expect(create?.requestBody).toMatchObject({
    content: {
      'application/json': { examples: { request: { value: examples[0] } } },
    },
  })
  for (const [path, code] of [
    ['/v1/launches/create', 'VALIDATION_FAILED'],
    ['/v1/agents/mint', 'INVALID_INPUT'],
  ] as const) {
    const documented =
      openApi.paths[path]?.post?.responses[400]?.content?.['application/json']?.examples[code]
    const response = await postJson(url + path, {})
    expect(response.body).toEqual(documented?.value)
    expect(response.body.details).toBeDefined()
  }
})

test('the document has the paths of all endpoints and operations, and no others', async () => {
  const openApi = await fetchOpenApi()
  const expected = new Set([...endpoints.map(({ path }) => path), '/healthz', '/readyz', '/metrics'])
  expect(Object.keys(openApi.paths).sort()).toEqual([...expected].sort())
})

test('the spotlight is documented as a named example, in the document and on the page', async () => {
  const { url } = await startTestService()
  const openApi = (await rawRequest(url, '/openapi.json')).json() as OpenApi
  expect(openApi.paths['/v1/launches']?.get?.['x-uses']).toContainEqual(
    expect.objectContaining({ title: 'Get spotlight', query: '?spotlight=true' }),
  )
  expect((await rawRequest(url, '/docs')).text).toContain('href="/v1/launches?spotlight=true"')
})
