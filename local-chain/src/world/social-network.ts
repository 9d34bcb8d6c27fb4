import type { IncomingMessage } from 'node:http'

const LIMIT = 75
const WINDOW_MS = 15 * 60 * 1000
const TOKENS_MAX = 10_000

type SocialResponse = {
  readonly status: number
  readonly body: object
  readonly headers: Record<string, string>
}

/**
 * Stands in for the social network's `GET /2/users/me`, the only call that the service makes, with its errors and rate
 * limit. The token `demo-token-<username>` belongs to that user; all other tokens are invalid.
 */
export function createSocialNetwork(now: () => number = Date.now) {
  const windows = new Map<string, { used: number; resetMs: number }>()

  return (request: IncomingMessage): SocialResponse => {
    if (pathOf(request) !== '/2/users/me') return problem(404, 'Not Found')
    if (request.method !== 'GET') return problem(405, 'Method Not Allowed')
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const username = /^demo-token-([A-Za-z0-9_]{1,15})$/.exec(token ?? '')?.[1]
    if (!username) return problem(401, 'Unauthorized')

    const at = now()
    let window = windows.get(username)
    if (!window || window.resetMs <= at) {
      if (windows.size >= TOKENS_MAX) windows.clear()
      window = { used: 0, resetMs: at + WINDOW_MS }
      windows.set(username, window)
    }
    window.used++
    const headers = {
      'x-rate-limit-limit': String(LIMIT),
      'x-rate-limit-remaining': String(Math.max(0, LIMIT - window.used)),
      'x-rate-limit-reset': String(Math.ceil(window.resetMs / 1000)),
    }
    if (window.used > LIMIT) return { ...problem(429, 'Too Many Requests'), headers }
    return { status: 200, body: { data: { id: idOf(username), name: username, username } }, headers }
  }
}

/** The path without the query. Not parsed with `new URL`, which throws for some paths such as `//`. */
export const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] as string

const problem = (status: number, title: string): SocialResponse => ({
  status,
  body: { title, type: 'about:blank', status, detail: title },
  headers: {},
})

/** A stable id for a name, as long as a real one. */
function idOf(username: string): string {
  let value = 7n
  for (const letter of username.toLowerCase())
    value = (value * 131n + BigInt(letter.charCodeAt(0))) % 10n ** 18n
  return (10n ** 18n + value).toString()
}
