import { CreateLaunchBody } from '@slipway/schema/create-launch'
import { ERRORS } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { expect, test } from 'vitest'
import { createSlipway } from '../../../../client/src/create-slipway.ts'
import { postJson } from '../../testing/demo-launches.ts'
import { DESCRIBED_ENDPOINTS as endpoints } from '../../testing/described-endpoints.ts'
import { rawRequest } from '../../testing/raw-request.ts'
import { useTestService } from '../../testing/test-service.ts'
import { createOpenApi } from './openapi.ts'
import type { OpenApi } from './openapi-types.ts'

const publicUrl = 'https://slipway.example'
const openApi = createOpenApi(endpoints, { publicUrl })
const service = useTestService()

test('the document has every endpoint with a valid example, and every error with its text', () => {
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
      expect(operation?.responses[ERRORS[code].status]?.headers).toHaveProperty(['Slipway-Error'])
      expect(Object.keys(operation?.responses ?? {})).toContain(`${ERRORS[code].status}`)
    }
  }
})

test('every body has an example that its endpoint accepts, and every part of a path an example', () => {
  for (const { method, path, body } of endpoints) {
    const operation = openApi.paths[path]?.[method.toLowerCase()]
    const example = operation?.requestBody?.content['application/json']?.examples?.request?.value
    if (body) expect(() => body.parse(example), path).not.toThrow()
    for (const parameter of operation?.parameters ?? [])
      if (parameter.in === 'path') expect([path, parameter.example]).not.toEqual([path, undefined])
  }
})

test('agents and cards show the fields that they pass through', () => {
  for (const name of ['Agent', 'AgentCard', 'AgentSkill', 'AgentInterface'])
    expect([name, openApi.components.schemas[name]?.additionalProperties]).toEqual([name, {}])
  expect(openApi.components.schemas.LaunchData).not.toHaveProperty('additionalProperties')
  expect(openApi.components.schemas.Agent?.properties).toMatchObject({ services: {}, registrations: {} })
})

test('the document names the synonyms that are accepted', () => {
  const text = JSON.stringify(openApi)
  for (const synonym of ['`solana-mainnet`', '"twitter"', '"twitterVerificationToken"'])
    expect(text).toContain(synonym)
})

test('the examples can have the addresses of this deployment', () => {
  const agent = '4YEJ7D5G6Y9x5hqpvqAQj7gaCKLtK7VMJEspBEeF57VP'
  const demo = createOpenApi(endpoints, { publicUrl, exampleAddresses: { agent } })
  expect(JSON.stringify(demo)).not.toContain(EXAMPLE_ADDRESSES.agent)
  expect(demo.paths['/v1/agents/{address}']?.get?.parameters?.[0]?.example).toBe(agent)
  expect(JSON.stringify(demo)).toContain(EXAMPLE_ADDRESSES.launch)
})

test('the document has an example request to create a launch, and the details of an empty one', async () => {
  const { url } = service()
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
      openApi.paths[path]?.post?.responses[400]?.content?.['application/json']?.examples?.[code]
    const response = await postJson(url + path, {})
    expect(response.body).toEqual(documented?.value)
    expect(response.body.details).toBeDefined()
  }
})

test('the samples call methods that the client has', () => {
  const slipway = createSlipway({ url: publicUrl }) as unknown as Record<string, Record<string, unknown>>
  for (const { clientCall } of endpoints) {
    const [group = '', method = ''] = clientCall?.split('.') ?? []
    if (clientCall) expect([clientCall, typeof slipway[group]?.[method]]).toEqual([clientCall, 'function'])
  }
  const { source } = openApi.paths['/v1/agents/{address}/withdraw']?.post?.['x-codeSamples']?.[0] ?? {}
  expect(source).toContain(
    `slipway.agents.withdraw('${EXAMPLE_ADDRESSES.agent}', {\n  sender: '${EXAMPLE_ADDRESSES.owner}',\n  amount: 0.01,\n})`,
  )
})

test('the document has the paths of all endpoints and operations, and no others', () => {
  const expected = new Set([...endpoints.map(({ path }) => path), '/healthz', '/readyz', '/metrics'])
  expect(Object.keys(openApi.paths).sort()).toEqual([...expected].sort())
})

test('the spotlight is documented as a named example', () => {
  expect(openApi.paths['/v1/launches']?.get?.description).toContain(
    '[Get spotlight](/v1/launches?spotlight=true)',
  )
})

test('the document of a service is the same as JSON and YAML, at both paths', async () => {
  const { url } = service()
  const json = await rawRequest(url, '/openapi.json')
  expect(json.json() as OpenApi).toEqual(openApi)
  expect((await rawRequest(url, '/v1/openapi.json')).text).toBe(json.text)
  const yaml = await rawRequest(url, '/openapi.yaml')
  expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8')
  expect((await rawRequest(url, '/v1/openapi.yaml')).text).toBe(yaml.text)
  const { parse } = await import('yaml')
  expect(parse(yaml.text)).toEqual(openApi)
})

test('the API catalog links to the descriptions, the reference and the status', async () => {
  const { url } = service()
  const { text, headers } = await rawRequest(url, '/.well-known/api-catalog')
  expect(headers['content-type']).toMatch(/^application\/linkset\+json; profile="[^"]*rfc9727"/)
  expect(headers.link).toBe('</.well-known/api-catalog>; rel="api-catalog"')
  const { linkset } = JSON.parse(text) as { linkset: Record<string, { href: string }[]>[] }
  const hrefs = linkset.flatMap(({ anchor: _, item: _item, ...relations }) =>
    Object.values(relations).flatMap(links => links.map(({ href }) => href)),
  )
  expect(hrefs).toHaveLength(4)
  for (const href of hrefs) {
    expect(href.startsWith(publicUrl)).toBe(true)
    expect((await rawRequest(url, href.slice(publicUrl.length))).status).toBe(200)
  }
})

test('/v1 names the API and links to its descriptions', async () => {
  const { url } = service()
  const { name, version, ...links } = (await rawRequest(url, '/v1')).json() as Record<string, string>
  expect([name, version]).toEqual(['Slipway', openApi.info.version])
  expect(Object.keys(links)).toEqual(['docs', 'openapi', 'catalog'])
  for (const href of Object.values(links)) {
    expect(href.startsWith(publicUrl)).toBe(true)
    expect((await rawRequest(url, href.slice(publicUrl.length))).status).toBe(200)
  }
})

test('the document and the catalog have ETags, HEAD, CORS and encodings, and may be cached', async () => {
  const { url } = service()
  for (const path of [
    '/openapi.json',
    '/v1/openapi.json',
    '/openapi.yaml',
    '/v1/openapi.yaml',
    '/.well-known/api-catalog',
    '/v1',
  ]) {
    const full = await rawRequest(url, path)
    expect(full.headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
    })
    expect(full.headers).not.toHaveProperty('ratelimit-limit')
    const headers = { 'If-None-Match': full.headers.etag as string }
    expect((await rawRequest(url, path, { headers })).status).toBe(304)
    const head = await rawRequest(url, path, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(Number(head.headers['content-length'])).toBe(full.body.length)
    for (const encoding of ['gzip', 'br']) {
      const encoded = await rawRequest(url, path, { headers: { 'Accept-Encoding': encoding } })
      expect(encoded.headers['content-encoding']).toBe(encoding)
      expect(encoded.headers.etag).not.toBe(full.headers.etag)
    }
    expect((await rawRequest(url, path, { method: 'POST' })).status).toBe(405)
  }
})
