import { z } from 'zod'
import { createSnapshot, defineEndpoint, type Endpoint, type PreparedAnswer } from '../endpoint/endpoint.ts'
import type { PublicJwk } from '../lib/signing-key.ts'
import { JWKS_PATH } from './agent-paths.ts'
import { type CardSigning, listPublicKeys } from './sign-card.ts'

export function getJwksEndpoint({ cardSigning }: { cardSigning: CardSigning }): Endpoint {
  const keys = listPublicKeys(cardSigning)
  const answer: PreparedAnswer = {
    kind: 'prepared',
    snapshot: createSnapshot(Buffer.from(JSON.stringify({ keys }))),
    cacheControl: 'public, max-age=300',
  }
  return defineEndpoint({
    method: 'GET',
    path: JWKS_PATH,
    id: 'getJwks',
    tag: 'Agents',
    summary: 'Get the keys that sign cards',
    description:
      'A JWK set (RFC 7517) with the public keys whose signatures synthesised cards carry, including former keys. It is empty if this deployment does not sign cards.',
    faults: {},
    success: {
      description: 'The keys.',
      schema: z.object({ keys: z.array(Jwk) }),
      example: { keys: [EXAMPLE_JWK] },
      conditional: true,
    },
    errors: [],
    prepared: () => answer,
    answer: () => answer,
  })
}

const Jwk = z
  .object({
    kty: z.string(),
    crv: z.string(),
    x: z.string(),
    y: z.string().optional(),
    kid: z.string(),
    alg: z.enum(['ES256', 'EdDSA']),
    use: z.literal('sig'),
  })
  .meta({ id: 'Jwk' })

const EXAMPLE_JWK: PublicJwk = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  alg: 'EdDSA',
  use: 'sig',
}
