import { ERRORS, type ErrorCode, errorBody, errorFamilyOf } from '@slipway/schema/errors'
import { createSnapshot, type Representation } from '../../endpoint/endpoint.ts'
import { createDeadline, REQUEST_MS_MAX } from '../../lib/deadline.ts'
import { callHandler, createInputParser } from '../mount-endpoint.ts'
import { errorCodeOf } from '../response/send-error.ts'
import { chooseRepresentation } from '../response/send-snapshot.ts'
import type { RouteTable } from '../route-table.ts'

interface LocalAnswer {
  status: number
  etag?: string
  /** The code of an error. */
  error?: ErrorCode
  encoding: 'identity' | 'gzip'
  parts: readonly Buffer[]
}

/** Answers GET requests for the API within the process. */
export type LocalApi = (url: string, caller?: LocalCaller) => Promise<LocalAnswer>

interface LocalCaller {
  etag?: string | undefined
  /** Who opened the page. */
  client?: string | undefined
}

/** The client of a request whose page is no longer being rendered. */
const NO_CLIENT = 'site'

/**
 * Pages ask for less. Parsing this much takes the page thread a second and half of its memory. More would end the
 * thread.
 */
const ANSWER_BYTES_MAX = 64 << 20

/** Calls the endpoints without a request: no socket, no parsing, no rate limit. The caller bounds how often. */
export function createLocalApi(
  routes: Pick<RouteTable, 'find'>,
  readReadiness: () => Promise<{ status: number; text: string }>,
): LocalApi {
  async function answer(url: string, { etag, client = NO_CLIENT }: LocalCaller): Promise<LocalAnswer> {
    const matched = routes.find('GET', url)
    const endpoint = matched?.route.endpoint
    if (!endpoint) return failure(url, 'NOT_FOUND')
    const input = createInputParser(endpoint)({ url, params: matched.params, body: {} })
    const deadline = createDeadline(endpoint.limitMs ?? REQUEST_MS_MAX)
    const found = await callHandler(endpoint, { ...input, client, headers: {}, deadline })
    // Pages don't read streams.
    if (found.kind === 'stream') return failure(url, 'NOT_FOUND')
    const snapshot =
      found.kind === 'prepared' ? found.snapshot : createSnapshot(Buffer.from(JSON.stringify(found.value)))
    if (snapshot.identity.length > ANSWER_BYTES_MAX) return failure(url, 'SERVICE_UNAVAILABLE')
    const { representation, notModified } = chooseRepresentation(snapshot, 'gzip', etag)
    return notModified ? { ...toAnswer(304, representation), parts: [] } : toAnswer(200, representation)
  }

  return async (url, caller = {}) => {
    try {
      if (url === '/readyz') {
        const { status, text } = await readReadiness()
        return { status, encoding: 'identity', parts: [Buffer.from(text)] }
      }
      return await answer(url, caller)
    } catch (error) {
      return failure(url, errorCodeOf(error as Error))
    }
  }
}

const toAnswer = (status: number, { etag, encoding, parts }: Representation): LocalAnswer => ({
  status,
  etag,
  encoding: encoding === 'gzip' ? 'gzip' : 'identity',
  parts,
})

function failure(url: string, code: ErrorCode): LocalAnswer {
  const { status } = ERRORS[code]
  const body = JSON.stringify(errorBody(errorFamilyOf('GET', url), code))
  return { status, error: code, encoding: 'identity', parts: [Buffer.from(body)] }
}
