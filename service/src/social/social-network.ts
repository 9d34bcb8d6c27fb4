import { createHash } from 'node:crypto'
import { ServiceError } from '@slipway/schema/errors'
import { type Dispatcher, Pool } from 'undici'
import { z } from 'zod'
import { createLru } from '../lib/create-lru.ts'
import { createSemaphore } from '../lib/semaphore.ts'
import { createSingleFlight } from '../lib/single-flight.ts'

export interface SocialNetwork {
  /** The username of the token's owner. Throws SOCIAL_REJECTED, or SOCIAL_USERNAME_MISSING for any other outcome. */
  fetchUsername(accessToken: string): Promise<string>
  close(): Promise<void>
}

export interface SocialObserver {
  onAnswer(outcome: Outcome['kind'], seconds: number): void
  onNotAsked(reason: NotAsked): void
}

/** `busy`: too many requests are waiting. `backing_off`: the token's budget is spent until the network resets it. */
type NotAsked = 'busy' | 'backing_off'

/** The details go to the log, so they never quote the response. */
type Outcome =
  | { kind: 'ok'; username: string }
  | { kind: 'rejected' }
  | { kind: 'rate_limited'; detail: string; resetMs: number | undefined }
  | { kind: 'no_username' | 'timeout' | 'broken'; detail: string }

export const SOCIAL_USERNAME = /^[A-Za-z0-9_]{1,64}$/

const User = z.object({ data: z.object({ username: z.string().regex(SOCIAL_USERNAME) }) })

/** Covers everything: waiting for a connection, opening it, and reading the response to its last byte. */
const TIMEOUT_MS = 5_000
const TIMEOUT: Outcome = { kind: 'timeout', detail: 'no answer in time' }
const CONNECTIONS = 16
/** 16 connections serve this many within the timeout if each response takes up to 300 ms. */
const WAITING_MAX = 256
const RESPONSE_BYTES_MAX = 64 * 1024
/** The network counts in windows of 15 minutes, so a later reset comes from a wrong clock. */
const BACK_OFF_MS_MAX = 15 * 60 * 1_000
const BACK_OFF_TOKENS_MAX = 10_000

/**
 * Concurrent calls with the same token share one request. The only outcome kept is a spent budget: a revoked token is
 * refused at once, and a newly allowed one works at once.
 */
export function createSocialNetwork({
  apiUrl,
  observer,
  timeoutMs = TIMEOUT_MS,
  connections = CONNECTIONS,
  waitingMax = WAITING_MAX,
  now = Date.now,
}: {
  apiUrl: string
  observer: SocialObserver
  timeoutMs?: number
  connections?: number
  waitingMax?: number
  now?: () => number
}): SocialNetwork {
  const { origin, pathname } = new URL(apiUrl)
  const path = `${pathname.replace(/\/+$/, '')}/2/users/me`
  const pool = new Pool(origin, {
    connections,
    connect: { timeout: timeoutMs },
    // The signal of each request is the only clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: RESPONSE_BYTES_MAX,
  })
  const semaphore = createSemaphore({ permits: connections, waitingMax })
  // Keyed by a digest, so that no access token stays in memory.
  const share = createSingleFlight<string, string>()
  const backOffUntilMs = createLru<string, number>(BACK_OFF_TOKENS_MAX)

  /** Undefined if too many requests are waiting already. */
  async function request(accessToken: string): Promise<Outcome | undefined> {
    const signal = AbortSignal.timeout(timeoutMs)
    const permit = await semaphore.acquire(signal)
    if (permit !== 'acquired') return permit === 'full' ? undefined : TIMEOUT
    const outcome = requestUser(pool, { path, accessToken, signal })
    void outcome.finally(semaphore.release)
    // A request whose connection is still opening does not react to the signal.
    const late = new Promise<Outcome>(resolve => {
      signal.addEventListener('abort', () => resolve(TIMEOUT), { once: true })
    })
    return Promise.race([outcome, late])
  }

  async function fetchUsername(key: string, accessToken: string): Promise<string> {
    const startMs = performance.now()
    const outcome = await request(accessToken)
    if (!outcome) {
      observer.onNotAsked('busy')
      throw usernameMissing('too many requests are waiting')
    }
    observer.onAnswer(outcome.kind, (performance.now() - startMs) / 1_000)
    if (outcome.kind === 'ok') return outcome.username
    if (outcome.kind === 'rejected') throw new ServiceError('SOCIAL_REJECTED')
    if (outcome.kind === 'rate_limited' && outcome.resetMs !== undefined)
      backOffUntilMs.set(key, Math.min(outcome.resetMs, now() + BACK_OFF_MS_MAX))
    throw usernameMissing(outcome.detail)
  }

  return {
    async fetchUsername(accessToken) {
      const key = createHash('sha256').update(accessToken).digest('base64url')
      if ((backOffUntilMs.get(key) ?? 0) > now()) {
        observer.onNotAsked('backing_off')
        throw usernameMissing("the token's budget is spent")
      }
      return share(key, () => fetchUsername(key, accessToken))
    },
    close: () => pool.destroy(),
  }
}

/** Never rejects. */
async function requestUser(
  pool: Dispatcher,
  { path, accessToken, signal }: { path: string; accessToken: string; signal: AbortSignal },
): Promise<Outcome> {
  try {
    const { statusCode, headers, body } = await pool.request({
      method: 'GET',
      path,
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/json',
        'user-agent': 'slipway',
      },
      signal,
    })
    if (statusCode === 200) return parseUser(await body.text())
    // The status is enough. Reading the rest frees the connection for the next request.
    void body.dump({ limit: RESPONSE_BYTES_MAX, signal }).catch(() => {})
    if (statusCode === 401 || statusCode === 403) return { kind: 'rejected' }
    const detail = `status ${statusCode}`
    if (statusCode !== 429) return { kind: 'no_username', detail }
    const reset = String(headers['x-rate-limit-reset'])
    return {
      kind: 'rate_limited',
      detail,
      resetMs: /^\d{1,12}$/.test(reset) ? Number(reset) * 1_000 : undefined,
    }
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    if (signal.aborted || code === 'UND_ERR_CONNECT_TIMEOUT') return TIMEOUT
    return { kind: 'broken', detail: `the connection failed, ${code}` }
  }
}

function parseUser(text: string): Outcome {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's own message would quote the response.
    return { kind: 'no_username', detail: 'no JSON' }
  }
  const user = User.safeParse(value)
  if (!user.success) return { kind: 'no_username', detail: 'no username' }
  return { kind: 'ok', username: user.data.data.username }
}

/** The cause has our own words only: a library's error can quote what was sent or received. */
function usernameMissing(detail: string): ServiceError {
  return new ServiceError('SOCIAL_USERNAME_MISSING', { cause: new Error(`social network: ${detail}`) })
}
