/** As long as a proof is valid if it does not say. */
const LIFETIME_MS = 10 * 60_000

/** When a verification token expires: the `exp` of a JWT. Only the service can tell whether it is genuine. */
export function parseExpiry(token: string, nowMs = Date.now()): Date {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { exp } = JSON.parse(atob(payload)) as { exp?: unknown }
    if (typeof exp === 'number' && Number.isFinite(exp)) return new Date(exp * 1_000)
  } catch {
    // It is opaque to us then.
  }
  return new Date(nowMs + LIFETIME_MS)
}
