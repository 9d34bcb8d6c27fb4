import { InexactInteger, type JsonRecord, toRecord } from './checks.ts'
import type { HttpAnswer } from './endpoint.ts'
import { parseExactJson } from './exact-json.ts'
import { AttemptFailed, faultOfCode, faultOfStatus, malformed } from './fault.ts'

/** Longer messages are cut: a node may say whatever it likes. */
const MESSAGE_LENGTH_MAX = 200

/** The result in an answer to the call with this id, decoded; else throws `AttemptFailed`. */
export function readAnswer<T>(
  { status, text, retryAfterMs }: HttpAnswer,
  id: number,
  { minContextSlot, decode }: { minContextSlot: number; decode(result: unknown): T },
): T {
  if (status !== 200) {
    // Some send the error of a wrong question with a 4xx: what it says is then worth more than the number.
    const answer = status >= 400 && status < 500 && status !== 429 ? tryRead(text, id) : undefined
    if (answer?.error !== undefined) throw errorIn(answer, minContextSlot)
    throw new AttemptFailed(faultOfStatus(status, retryAfterMs), `HTTP ${status}`)
  }
  const answer = tryRead(text, id)
  if (!answer) throw malformed('no answer to this call')
  if (answer.error !== undefined && answer.error !== null) throw errorIn(answer, minContextSlot)
  if (answer.result === undefined) throw malformed('neither result nor error')
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

/** Whatever a decoder stumbles over, it was given no answer that it can use. */
const asMalformed = (error: unknown) =>
  error instanceof AttemptFailed ? error : malformed(`not understood: ${(error as Error).name}`)

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
  const said = String(message).slice(0, MESSAGE_LENGTH_MAX)
  return new AttemptFailed(faultOfCode(code as number, slots), `${code} ${said}`, code as number)
}
