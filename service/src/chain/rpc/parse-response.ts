import { InexactInteger, type JsonRecord, toRecord } from './checks.ts'
import { parseExactJson } from './exact-json.ts'
import { AttemptFailed, faultOfCode, faultOfStatus, malformed } from './fault.ts'
import type { HttpResponse } from './rpc-endpoint.ts'

/** Longer messages of a node are cut. */
const MESSAGE_LENGTH_MAX = 200

/** The decoded result of the call with this id. Throws `AttemptFailed`. */
export function parseResponse<T>(
  { status, text, retryAfterMs }: HttpResponse,
  id: number,
  { minContextSlot, decode }: { minContextSlot: number; decode(result: unknown): T },
): T {
  if (status !== 200) {
    // Some nodes send the JSON-RPC error of an invalid request with a 4xx: it says more than the status.
    const answer = status >= 400 && status < 500 && status !== 429 ? tryRead(text, id) : undefined
    if (answer?.error !== undefined) throw errorIn(answer, minContextSlot)
    throw new AttemptFailed(faultOfStatus(status, retryAfterMs), `HTTP ${status}`)
  }
  const answer = tryRead(text, id)
  if (!answer) throw malformed('not a response to this call')
  if (answer.error !== undefined && answer.error !== null) throw errorIn(answer, minContextSlot)
  if (answer.result === undefined) throw malformed('neither a result nor an error')
  try {
    return decode(answer.result)
  } catch (error) {
    if (error instanceof InexactInteger) return decodeExactly(text, decode)
    throw asMalformed(error)
  }
}

function decodeExactly<T>(text: string, decode: (result: unknown) => T): T {
  try {
    return decode((parseExactJson(text) as JsonRecord).result)
  } catch (error) {
    throw asMalformed(error)
  }
}

/** Whatever a decoder throws, the response was unusable. */
const asMalformed = (error: unknown) =>
  error instanceof AttemptFailed ? error : malformed(`could not be decoded: ${(error as Error).name}`)

function tryRead(text: string, id: number): JsonRecord | undefined {
  try {
    const answer = toRecord(JSON.parse(text), 'the answer')
    return answer.id === id ? answer : undefined
  } catch {
    return undefined
  }
}

function errorIn({ error }: JsonRecord, minContextSlot: number): AttemptFailed {
  const { code, message, data } = toRecord(error, 'the error')
  if (!Number.isSafeInteger(code)) return malformed('an error without a code')
  const { contextSlot } = typeof data === 'object' && data !== null ? (data as JsonRecord) : {}
  const slots = typeof contextSlot === 'number' ? minContextSlot - contextSlot : 1
  const text = String(message).slice(0, MESSAGE_LENGTH_MAX)
  return new AttemptFailed(faultOfCode(code as number, slots), `${code} ${text}`, code as number)
}
