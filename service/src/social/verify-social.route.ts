import { type ErrorCode, ServiceError } from '@slipway/schema/errors'
import { Success } from '@slipway/schema/transaction'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { type Social, verifySocial } from './social.ts'

export const verifySocialEndpoint = ({ social }: { social: Social }): Endpoint =>
  verifyEndpoint(social, {
    path: '/v1/social/verify',
    id: 'verifySocial',
    clientCall: 'social.verify',
    summary: 'Verify a social account',
    description: `Exchanges a social network's OAuth 2.0 access token for a verification token that proves the owner's username there for ten minutes. Pass it to launch registration as \`socialVerificationToken\`.

You obtain the access token yourself. The service uses it once, for this request, and neither stores nor logs it.`,
    errors: { SOCIAL_REJECTED: 'SOCIAL_REJECTED', SOCIAL_USERNAME_MISSING: 'SOCIAL_USERNAME_MISSING' },
  })

export const verifyTwitterEndpoint = ({ social }: { social: Social }): Endpoint =>
  verifyEndpoint(social, {
    path: '/v1/twitter/verify',
    id: 'verifyTwitter',
    summary: 'Verify a Twitter account',
    description:
      "The same as `POST /v1/social/verify`, for clients of Metaplex's hosted API: under its path, and with error texts that say Twitter.",
    errors: { SOCIAL_REJECTED: 'TWITTER_REJECTED', SOCIAL_USERNAME_MISSING: 'TWITTER_USERNAME_MISSING' },
  })

function verifyEndpoint(
  social: Social,
  {
    errors,
    ...described
  }: Pick<Endpoint, 'path' | 'id' | 'clientCall' | 'summary' | 'description'> & {
    /** The code that this endpoint answers with, for each that verification can fail with. */
    errors: Record<'SOCIAL_REJECTED' | 'SOCIAL_USERNAME_MISSING', ErrorCode>
  },
): Endpoint {
  return defineEndpoint({
    method: 'POST',
    tag: 'Social',
    ...described,
    body: z
      .object({
        accessToken: z
          .string()
          .trim()
          .min(1)
          .describe('A user access token of the social network, with permission to read users.'),
      })
      // The stand-in of the demo accepts this one.
      .meta({ examples: [{ accessToken: 'demo-token-harbourmaster' }] }),
    faults: { body: 'ACCESS_TOKEN_REQUIRED', accessToken: 'ACCESS_TOKEN_REQUIRED' },
    success: {
      description: 'The account is verified.',
      schema: z.object({
        success: Success,
        username: z.string().meta({ description: 'The username at the social network.' }),
        token: z.string().describe('The verification token, a signed JWT.'),
      }),
      example: { success: true, username: 'harbourmaster', token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…' },
    },
    // The social network has five seconds, after which its own error is sent.
    limitMs: 6_000,
    errors: Object.values(errors),
    async answer({ body }) {
      const verified = await verifySocial(social, body.accessToken).catch(error => {
        const code = error instanceof ServiceError && errors[error.code as keyof typeof errors]
        throw code ? new ServiceError(code, { cause: error.cause }) : error
      })
      return { kind: 'json', value: { success: true, ...verified } }
    },
  })
}
