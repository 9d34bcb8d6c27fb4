import type { IncomingMessage } from 'node:http'

const LIMIT = 75
const WINDOW_MS = 15 * 60 * 1000
const TOKENS_MAX = 10_000

export type SocialAnswer = {
  readonly status: number
  readonly body: object
  readonly headers: Record<string, string>
}

/**
 * The one call of the social network that the product makes, `GET /2/users/me`, with its bodies, errors and rate limit:
 * `demo-token-<username>` is that user's, any other token is nobody's.
 */
export function createSocialNetwork(now: () => number = Date.now) {
  const windows = new Map<string, { used: number; resetMs: number }>()

  return (request: IncomingMessage): SocialAnswer => {
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

/** Without the query. It is not parsed as a URL: that throws for some of what can be sent, such as two slashes. */
export const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] as string

const problem = (status: number, title: string): SocialAnswer => ({
  status,
  body: { title, type: 'about:blank', status, detail: title },
  headers: {},
})

/** A number that stays the same for a name, as long as the real ones are. */
function idOf(username: string): string {
  let value = 7n
  for (const letter of username.toLowerCase())
    value = (value * 131n + BigInt(letter.charCodeAt(0))) % 10n ** 18n
  return (10n ** 18n + value).toString()
}
