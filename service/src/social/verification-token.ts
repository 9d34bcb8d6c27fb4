import { createSecretKey, randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
// Imported by path: loading the whole library takes twice as long.
import { JOSEError, JWSSignatureVerificationFailed } from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { SOCIAL_USERNAME } from './social-network.ts'

/**
 * The content of a verification token. `id` identifies the token, so that it can be bound to the first launch that
 * uses it.
 */
interface Verification {
  username: string
  id: string
  expiresAt: Date
}

export interface VerificationTokens {
  issue(username: string): Promise<string>
  /** Undefined for any token that is not valid now. */
  verify(token: string): Promise<Verification | undefined>
}

const ALGORITHM = 'HS256'
const LIFETIME_SECONDS = 10 * 60
/** How far the clock of the issuing node may be ahead of ours. Expiry follows our clock, to the second. */
const AHEAD_SECONDS_MAX = 5
const TOKEN_CHARACTERS_MAX = 2_048
/** It is stored. PostgreSQL has no NUL. */
const ID = /^[\x20-\x7e]{1,64}$/

/** Signs and verifies the proof that someone owns a social account: a JWT that every node with the secret accepts. */
export function createVerificationTokens({
  secret,
  previousSecret,
  audience,
  now = Date.now,
}: {
  secret: string
  /** Verifies tokens, never signs them. */
  previousSecret?: string | undefined
  audience: string
  now?: () => number
}): VerificationTokens {
  const key = toKey(secret)
  const keys = previousSecret === undefined ? [key] : [key, toKey(previousSecret)]

  async function verifyClaims(token: string): Promise<JWTPayload | undefined> {
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
      const { sub, jti, iat = 0, exp = 0 } = (await verifyClaims(token)) ?? {}
      // The tolerance above is for clocks that are ahead. It must not extend a token's lifetime.
      if (exp * 1_000 <= now() || exp - iat > LIFETIME_SECONDS) return undefined
      if (typeof sub !== 'string' || !SOCIAL_USERNAME.test(sub)) return undefined
      if (typeof jti !== 'string' || !ID.test(jti)) return undefined
      return { username: sub, id: jti, expiresAt: new Date(exp * 1_000) }
    },
  }
}

const toKey = (secret: string) => createSecretKey(Buffer.from(secret))
