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
    clientCall: 'agents.cardKeys',
    tag: 'Agents',
    summary: 'Get the keys that sign cards',
    description:
      'A JWK set (RFC 7517) with the public keys whose signatures built cards carry, including former keys. It is empty if this deployment does not sign cards.',
    faults: {},
    success: {
      description: 'The keys.',
      schema: z.object({ keys: z.array(Jwk).meta({ description: 'The keys, current one first.' }) }),
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
    kty: z.string().meta({ description: 'Key type: `EC` or `OKP`.' }),
    crv: z.string().meta({ description: 'Curve: `P-256` or `Ed25519`.' }),
    x: z.string().meta({ description: 'The public key, or its first coordinate, in base64url.' }),
    y: z.string().optional().meta({ description: 'The second coordinate of an `EC` key.' }),
    kid: z.string().meta({ description: 'The id that a signature names.' }),
    alg: z.enum(['ES256', 'EdDSA']).meta({ description: 'The algorithm that the key is for.' }),
    use: z.literal('sig').meta({ description: 'The key is for signatures only.' }),
  })
  .meta({ id: 'Jwk', description: 'A public key (RFC 7517).' })

const EXAMPLE_JWK: PublicJwk = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  alg: 'EdDSA',
  use: 'sig',
}
