import { createSecretKey, randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
// By their own paths: the whole library takes the start twice as long.
import { JOSEError, JWSSignatureVerificationFailed } from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { SOCIAL_USERNAME } from './username.ts'

/** What a verification token says. `id` is its own, so that it can be bound to the first launch that uses it. */
export interface Verification {
  username: string
  id: string
  expiresAt: Date
}

export interface VerificationTokens {
  issue(username: string): Promise<string>
  /** Nothing for a token that does not count, whatever is wrong with it. */
  verify(token: string): Promise<Verification | undefined>
}

const ALGORITHM = 'HS256'
const LIFETIME_SECONDS = 10 * 60
/** How far the clock of the node that issued a token may be ahead of ours. Expiry is by our clock, to the second. */
const AHEAD_SECONDS_MAX = 5
const TOKEN_CHARACTERS_MAX = 2_048
const ID_CHARACTERS_MAX = 64

/** Signs and checks the proof that somebody owns a social account: a JWT that any node with the secret understands. */
export function createVerificationTokens({
  secret,
  previousSecret,
  audience,
  now = Date.now,
}: {
  secret: string
  /** Accepted, never signed with. */
  previousSecret?: string | undefined
  audience: string
  now?: () => number
}): VerificationTokens {
  const key = toKey(secret)
  const keys = previousSecret === undefined ? [key] : [key, toKey(previousSecret)]

  async function readClaims(token: string): Promise<JWTPayload | undefined> {
    for (const key of keys) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          audience,
          requiredClaims: ['sub', 'jti', 'exp'],
          maxTokenAge: LIFETIME_SECONDS,
          clockTolerance: AHEAD_SECONDS_MAX,
          currentDate: new Date(now()),
        })
        return payload
      } catch (error) {
        if (error instanceof JWSSignatureVerificationFailed) continue
        if (error instanceof JOSEError) return undefined
        throw error
      }
    }
    return undefined
  }

  return {
    issue(username) {
      const seconds = Math.floor(now() / 1_000)
      return new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setSubject(username)
        .setAudience(audience)
        .setJti(randomUUID())
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + LIFETIME_SECONDS)
        .sign(key)
    },
    async verify(token) {
      if (token.length > TOKEN_CHARACTERS_MAX) return undefined
      const { sub, jti, iat = 0, exp = 0 } = (await readClaims(token)) ?? {}
      // The tolerance above is for clocks that are ahead; it does not prolong a life.
      if (exp * 1_000 <= now() || exp - iat > LIFETIME_SECONDS) return undefined
      if (typeof sub !== 'string' || !SOCIAL_USERNAME.test(sub)) return undefined
      if (typeof jti !== 'string' || jti === '' || jti.length > ID_CHARACTERS_MAX) return undefined
      return { username: sub, id: jti, expiresAt: new Date(exp * 1_000) }
    },
  }
}

const toKey = (secret: string) => createSecretKey(Buffer.from(secret))
