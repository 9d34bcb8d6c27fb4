import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { SOCIAL_USERNAME } from './username.ts'

/** What became of one question to the social network. The details are for the log: nothing that it sent is in them. */
export type SocialOutcome =
  | { kind: 'ok'; username: string }
  | { kind: 'rejected' }
  | { kind: 'rate_limited'; resetMs: number | undefined }
  | { kind: 'no_username'; detail: string }
  | { kind: 'timeout' }
  | { kind: 'broken'; detail: string }

export const RESPONSE_BYTES_MAX = 64 * 1024

const User = z.object({ data: z.object({ username: z.string().regex(SOCIAL_USERNAME) }) })

/** Asks once whose token it is. `finished` is when the connection can be used again, which may be after the outcome. */
export function askForUser(
  dispatcher: Dispatcher,
  { path, accessToken, signal }: { path: string; accessToken: string; signal: AbortSignal },
): { outcome: Promise<SocialOutcome>; finished: Promise<unknown> } {
  let drained: Promise<unknown> | undefined

  async function ask(): Promise<SocialOutcome> {
    try {
      const { statusCode, headers, body } = await dispatcher.request({
        method: 'GET',
        path,
        headers: {
          authorization: `Bearer ${accessToken}`,
          accept: 'application/json',
          'user-agent': 'slipway',
        },
        signal,
      })
      if (statusCode === 200) return readUser(await body.text())
      // The status says it all. The body is read only to have the connection back.
      drained = body.dump({ limit: RESPONSE_BYTES_MAX, signal }).catch(() => {})
      return outcomeOfStatus(statusCode, headers)
    } catch (error) {
      if (signal.aborted) return { kind: 'timeout' }
      const code = String((error as { code?: unknown }).code)
      return code === 'UND_ERR_CONNECT_TIMEOUT' ? { kind: 'timeout' } : { kind: 'broken', detail: code }
    }
  }

  const outcome = ask()
  return { outcome, finished: outcome.then(() => drained) }
}

function outcomeOfStatus(status: number, headers: Record<string, unknown>): SocialOutcome {
  if (status === 401 || status === 403) return { kind: 'rejected' }
  if (status !== 429) return { kind: 'no_username', detail: `status ${status}` }
  const reset = String(headers['x-rate-limit-reset'])
  return { kind: 'rate_limited', resetMs: /^\d{1,12}$/.test(reset) ? Number(reset) * 1_000 : undefined }
}

function readUser(text: string): SocialOutcome {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The error's own words would quote the body.
    return { kind: 'no_username', detail: 'no JSON' }
  }
  const user = User.safeParse(value)
  if (!user.success) return { kind: 'no_username', detail: 'no username' }
  return { kind: 'ok', username: user.data.data.username }
}
