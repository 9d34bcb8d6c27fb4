import { createSlipway, SlipwayError } from '@slipway/client'
import { ERRORS } from '@slipway/schema/errors'
import { expect, test } from 'vitest'
import { sendJson, startTestServer } from './testing/test-server.ts'

const ADDRESS = '11111111111111111111111111111111'

async function failWith(answer: Parameters<typeof startTestServer>[0], options = {}) {
  const { url, requests } = await startTestServer(answer)
  const slipway = createSlipway({ url, retries: 0, ...options })
  const error = await slipway.agents.get(ADDRESS).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(SlipwayError)
  return { error: error as SlipwayError, requests, url }
}

test('both error shapes become the same error', async () => {
  const headers = { 'x-request-id': 'abc', 'retry-after': '7' }
  const details = [{ path: 'name', message: 'is required' }]
  const listed = [{ path: ['agent', 'name'], message: 'is required' }]
  const agents = await failWith((_, response) =>
    sendJson(
      response,
      400,
      { success: false, error: 'Invalid input data', details: [...details, ...listed] },
      { ...headers, 'slipway-error': 'INVALID_INPUT' },
    ),
  )
  expect(agents.error).toMatchObject({
    status: 400,
    code: 'INVALID_INPUT',
    message: 'Invalid input data',
    details: [...details, { path: 'agent.name', message: 'is required' }],
    requestId: 'abc',
    retryAfter: 7,
  })
  const launches = await failWith((_, response) =>
    sendJson(
      response,
      400,
      { error: { message: '✖ Invalid network' } },
      { ...headers, 'slipway-error': 'INVALID_NETWORK' },
    ),
  )
  expect(launches.error).toMatchObject({
    status: 400,
    code: 'INVALID_NETWORK',
    message: '✖ Invalid network',
    details: undefined,
    requestId: 'abc',
    retryAfter: 7,
  })
})

test('the code comes from the header, whatever the text says', async () => {
  for (const [code, { status, text }] of Object.entries(ERRORS)) {
    const { error } = await failWith((_, response) =>
      sendJson(response, status, { success: false, error: text }, { 'slipway-error': code }),
    )
    expect(error).toMatchObject({ code, status, message: text })
  }
})

test('an error without a known code is an unknown response that keeps its text', async () => {
  for (const headers of [{}, { 'slipway-error': 'FROM_THE_FUTURE' }, { 'slipway-error': 'toString' }]) {
    const { error } = await failWith((_, response) =>
      sendJson(
        response,
        404,
        { success: false, error: 'Agent not found' },
        headers as Record<string, string>,
      ),
    )
    expect(error).toMatchObject({ code: 'UNKNOWN_RESPONSE', status: 404, message: 'Agent not found' })
  }
})

test('an error without a body still has its code', async () => {
  const { error } = await failWith((_, response) =>
    response.writeHead(503, { 'slipway-error': 'SERVICE_UNAVAILABLE' }).end(),
  )
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 })
})
