import { createHash } from 'node:crypto'
import { ServiceError } from '@slipway/schema/errors'
import { LRUCache } from 'lru-cache'
import { Pool } from 'undici'
import { askForUser, RESPONSE_BYTES_MAX, type SocialOutcome } from './ask-for-user.ts'
import { createGate } from './gate.ts'

export interface SocialNetwork {
  /** Whose access token it is; throws SOCIAL_REJECTED, or SOCIAL_USERNAME_MISSING for every other outcome. */
  fetchUsername(accessToken: string): Promise<string>
  close(): Promise<void>
}

export interface SocialObserver {
  onAnswer(outcome: SocialOutcome['kind'], seconds: number): void
  onNotAsked(reason: NotAsked): void
}

/** `busy`: too many questions wait. `backing_off`: the network has said until when it does not answer for this token. */
export type NotAsked = 'busy' | 'backing_off'

/** From the question to the last byte of the answer: waiting for a connection and making it included. */
const TIMEOUT_MS = 5_000
const CONNECTIONS = 16
/** More than sixteen connections can answer in time, even when an answer takes a quarter of a second. */
const WAITING_MAX = 256
/** The network counts in windows of fifteen minutes: a later reset is a clock that is wrong. */
const BACK_OFF_MS_MAX = 15 * 60 * 1_000
const BACK_OFF_TOKENS_MAX = 10_000

/**
 * The outside API. Equal tokens in flight share one question, and a token that has spent its budget is not asked about
 * until the network says so. No other answer is remembered: one that was revoked is refused at once, one that was
 * allowed works at once, and a flood of made-up tokens would never ask twice for the same.
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
    // One clock for all of it: the signal that each question brings.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: RESPONSE_BYTES_MAX,
  })
  const gate = createGate({ slots: connections, waitingMax })
  /** Both by a digest of the token: what is kept must not be the credential. */
  const inFlight = new Map<string, Promise<string>>()
  const backOffUntilMs = new LRUCache<string, number>({ max: BACK_OFF_TOKENS_MAX })

  async function ask(accessToken: string): Promise<SocialOutcome | { kind: 'busy' }> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    const { signal } = deadline
    const entry = await gate.enter(signal)
    if (entry !== 'in') {
      clearTimeout(timer)
      return { kind: entry === 'full' ? 'busy' : 'timeout' }
    }
    const { outcome, finished } = askForUser(pool, { path, accessToken, signal })
    void finished.then(() => {
      clearTimeout(timer)
      gate.leave()
    })
    // A question whose connection is still being made does not hear the signal.
    const late = new Promise<SocialOutcome>(resolve => {
      signal.addEventListener('abort', () => resolve({ kind: 'timeout' }), { once: true })
    })
    return Promise.race([outcome, late])
  }

  async function fetchOnce(key: string, accessToken: string): Promise<string> {
    const startMs = performance.now()
    const outcome = await ask(accessToken)
    if (outcome.kind === 'busy') {
      observer.onNotAsked('busy')
      throw missing('too many questions wait for it')
    }
    observer.onAnswer(outcome.kind, (performance.now() - startMs) / 1_000)
    if (outcome.kind === 'rate_limited' && outcome.resetMs !== undefined)
      backOffUntilMs.set(key, Math.min(outcome.resetMs, now() + BACK_OFF_MS_MAX))
    return usernameOf(outcome)
  }

  return {
    async fetchUsername(accessToken) {
      const key = createHash('sha256').update(accessToken).digest('base64url')
      if ((backOffUntilMs.get(key) ?? 0) > now()) {
        observer.onNotAsked('backing_off')
        throw missing('it does not answer for this token yet')
      }
      let call = inFlight.get(key)
      if (!call) {
        call = fetchOnce(key, accessToken).finally(() => inFlight.delete(key))
        inFlight.set(key, call)
      }
      return call
    },
    close: () => pool.destroy(),
  }
}

function usernameOf(outcome: SocialOutcome): string {
  switch (outcome.kind) {
    case 'ok':
      return outcome.username
    case 'rejected':
      throw new ServiceError('SOCIAL_REJECTED')
    case 'rate_limited':
      throw missing('status 429')
    case 'timeout':
      throw missing('no answer in time')
    case 'broken':
      throw missing(`the connection failed, ${outcome.detail}`)
    case 'no_username':
      throw missing(outcome.detail)
  }
}

/** The cause is ours alone: errors of libraries can quote what was sent or received. */
function missing(detail: string): ServiceError {
  return new ServiceError('SOCIAL_USERNAME_MISSING', { cause: new Error(`social network: ${detail}`) })
}
