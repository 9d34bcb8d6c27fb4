import { z } from 'zod'
import { AddressString } from './address.ts'
import { EXAMPLE_ADDRESSES } from './example-addresses.ts'
import {
  isHarmlessImage,
  parseDiscordLink,
  parseRelativePath,
  parseSocialLink,
  parseTelegramLink,
  parseWebLink,
} from './links.ts'
import { NetworkInput } from './network.ts'
import { Success } from './transaction.ts'

/**
 * A string that `parse` accepts; an empty one counts as absent. The expectation completes the sentence "it must be
 * …".
 */
function textField(parse: (text: string) => string | undefined, expected: string) {
  return z
    .string()
    .transform((text, context) => {
      if (text.trim() === '') return undefined
      const value = parse(text)
      if (value !== undefined) return value
      context.addIssue({ code: 'custom', message: `must be ${expected}` })
      return z.NEVER
    })
    .nullish()
    .meta({ description: `${expected.charAt(0).toUpperCase()}${expected.slice(1)}.` })
}

const social = textField(parseSocialLink, 'a handle (`@name`, `name`) or a profile URL')

export const ExternalLinks = z
  .object({
    website: textField(parseWebLink, 'an http(s) URL'),
    social,
    telegram: textField(parseTelegramLink, 'a handle or an http(s) URL'),
    discord: textField(parseDiscordLink, 'an invite code or an http(s) URL'),
    twitter: social.meta({ description: 'Another name of `social`, which existing SDKs send.' }),
  })
  .transform(({ website, telegram, discord, ...links }) => {
    const x = links.social ?? links.twitter
    return {
      website: website ?? '',
      socials: { ...(x && { x }), ...(telegram && { telegram }), ...(discord && { discord }) },
    }
  })

/** A launcher's description of a launch, which is checked against the chain. Other fields are ignored. */
export const RegisterLaunchBody = z
  .object({
    genesisAccount: AddressString.meta({ description: "The launch's address." }),
    network: NetworkInput,
    launch: z
      .object({
        name: z.string().min(1).meta({ description: 'Must equal the name on the chain.' }),
        symbol: z.string().min(1).meta({ description: 'Must equal the symbol on the chain.' }),
        image: z
          .string()
          .refine(isHarmlessImage)
          .meta({ description: "Shown only if the token's own document has none." }),
        description: z
          .string()
          .nullish()
          .meta({ description: "Shown only if the token's own document has none." }),
        type: z.string().meta({ description: 'Ignored: the chain decides.' }),
        externalLinks: ExternalLinks.nullish().meta({ description: 'Links to show with the launch.' }),
        heroUrl: textField(parseRelativePath, 'the relative storage path of the hero image'),
      })
      .meta({ description: 'What to list the launch with.' }),
    creatorWallet: AddressString.nullish().meta({ description: 'Ignored: the chain decides.' }),
    agent: z
      .object({ mint: AddressString.meta({ description: "Address of the agent's asset." }) })
      .nullish()
      .meta({
        description:
          "The agent behind the launch. Both must agree: on the chain, or by a signed change of the launch's authority.",
      }),
    socialVerificationToken: z
      .string()
      .nullish()
      .meta({ description: 'From `POST /v1/social/verify`: proves the handle in `externalLinks.social`.' }),
    // An invalid one has its own error: see `parseVerificationToken`.
    twitterVerificationToken: z
      .unknown()
      .optional()
      .meta({
        type: ['string', 'null'],
        description: 'Another name of `socialVerificationToken`, which existing SDKs send.',
      }),
  })
  .meta({
    id: 'RegisterLaunchBody',
    examples: [
      {
        genesisAccount: EXAMPLE_ADDRESSES.launch,
        launch: {
          name: 'Patchbot',
          symbol: 'PATCH',
          image: 'https://images.example/patchbot.png',
          type: 'bondingCurve',
          externalLinks: { website: 'https://patchbot.example', social: '@patchbot' },
        },
        agent: { mint: EXAMPLE_ADDRESSES.agent },
      },
    ],
  })
export type RegisterLaunchBody = z.output<typeof RegisterLaunchBody>

export const RegisteredLaunch = z
  .object({
    success: Success,
    existing: z
      .boolean()
      .meta({ description: 'Whether the launch was registered before; if so, it has not changed.' }),
    launch: z
      .object({
        id: z.uuid().meta({ description: 'Id of the registration.' }),
        link: z.string().meta({ description: "URL of the launch's page." }),
      })
      .meta({ description: 'The launch as it is listed.' }),
    token: z
      .object({
        id: z.uuid().meta({ description: 'Id of the token here.' }),
        mintAddress: AddressString.meta({ description: "The token's mint." }),
      })
      .meta({ description: 'Its token.' }),
  })
  .meta({ id: 'RegisteredLaunch' })
export type RegisteredLaunch = z.infer<typeof RegisteredLaunch>

const Token = z.string().nullish()

/** The verification token, under its name or the one that existing SDK clients use; undefined if that is invalid. */
export function parseVerificationToken(body: RegisterLaunchBody): { token: string | undefined } | undefined {
  const synonym = Token.safeParse(body.twitterVerificationToken)
  if (!synonym.success) return undefined
  return { token: body.socialVerificationToken || synonym.data || undefined }
}
