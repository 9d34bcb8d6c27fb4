import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { type Social, verifySocial } from './social.ts'

export function verifySocialEndpoint({ social }: { social: Social }): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/social/verify',
    id: 'verifySocial',
    tag: 'Social',
    summary: 'Verify a social account',
    description:
      "Exchanges a social network's OAuth 2.0 access token for a verification token that proves the owner's username there for ten minutes. You obtain the access token yourself; the service uses it once, for this request, and neither stores nor logs it. Pass the verification token to launch registration as `socialVerificationToken`.",
    body: z.object({
      accessToken: z
        .string()
        .trim()
        .min(1)
        .describe('A user access token of the social network, with permission to read users.'),
    }),
    faults: { body: 'ACCESS_TOKEN_REQUIRED', accessToken: 'ACCESS_TOKEN_REQUIRED' },
    success: {
      description: 'The account is verified.',
      schema: z.object({
        success: z.literal(true),
        username: z.string(),
        token: z.string().describe('The verification token, a signed JWT.'),
      }),
      example: { success: true, username: 'harbourmaster', token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…' },
    },
    // The social network has five seconds, after which its own error is sent.
    limitMs: 6_000,
    errors: ['SOCIAL_REJECTED', 'SOCIAL_USERNAME_MISSING'],
    async answer({ body }) {
      return { kind: 'json', value: { success: true, ...(await verifySocial(social, body.accessToken)) } }
    },
  })
}
