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
  const agents = await failWith((_, response) =>
    sendJson(response, 400, { success: false, error: 'Invalid input data', details }, headers),
  )
  expect(agents.error).toMatchObject({
    status: 400,
    code: 'INVALID_INPUT',
    message: 'Invalid input data',
    details,
    requestId: 'abc',
    retryAfter: 7,
  })
  const launches = await failWith((_, response) =>
    sendJson(response, 400, { error: { message: '✖ Invalid network' } }, headers),
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

test('every error of the API has a code; of two with the same text, the more general one', async () => {
  const wordsOf = (text: string) => text.toUpperCase().replaceAll(' ', '_')
  for (const [code, { status, text }] of Object.entries(ERRORS)) {
    const { error } = await failWith((_, response) =>
      sendJson(response, status, { success: false, error: text }),
    )
    expect(error.code).toBe(Object.keys(ERRORS).includes(wordsOf(text)) ? wordsOf(text) : code)
  }
})
