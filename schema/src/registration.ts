import { z } from 'zod'
import { AddressString } from './address.ts'
import { describeIssue } from './describe-issue.ts'
import {
  isHarmlessImage,
  parseDiscordLink,
  parseRelativePath,
  parseSocialLink,
  parseTelegramLink,
  parseWebLink,
} from './links.ts'
import { NetworkInput } from './network.ts'

/** A string that `parse` accepts; an empty one counts as absent. The expectation completes the sentence "it must be …". */
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
  .looseObject({
    website: textField(parseWebLink, 'an http(s) URL'),
    social,
    telegram: textField(parseTelegramLink, 'a handle or an http(s) URL'),
    discord: textField(parseDiscordLink, 'an invite code or an http(s) URL'),
  })
  .transform((links, context) => {
    const { website, telegram, discord } = links
    // Existing SDK clients use the social network's former name.
    const synonym = social.safeParse(links.twitter, { error: describeIssue })
    for (const { message } of synonym.error?.issues ?? [])
      context.addIssue({ code: 'custom', path: ['twitter'], message })
    const x = links.social ?? synonym.data
    return {
      website: website ?? '',
      socials: { ...(x && { x }), ...(telegram && { telegram }), ...(discord && { discord }) },
    }
  })

/** What a launcher says about a launch, to be checked against the chain. Other fields are ignored. */
export const RegisterLaunchBody = z
  // Loose because of one synonym: see `parseVerificationToken`.
  .looseObject({
    genesisAccount: AddressString,
    network: NetworkInput,
    launch: z.object({
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
      externalLinks: ExternalLinks.nullish(),
      heroUrl: textField(parseRelativePath, 'the relative storage path of the hero image'),
    }),
    creatorWallet: AddressString.nullish().meta({ description: 'Ignored: the chain decides.' }),
    agent: z
      .object({ mint: AddressString.meta({ description: "Address of the agent's asset." }) })
      .nullish()
      .meta({
        description:
          "The agent that launched the token. Registration is refused unless the agent's wallet created the launch, or the agent's identity names the token.",
      }),
    socialVerificationToken: z
      .string()
      .nullish()
      .meta({ description: 'From `POST /v1/social/verify`: proves the handle in `externalLinks.social`.' }),
  })
  .meta({ id: 'RegisterLaunchBody' })
export type RegisterLaunchBody = z.output<typeof RegisterLaunchBody>

export const RegisteredLaunch = z
  .object({
    success: z.literal(true),
    existing: z
      .boolean()
      .meta({ description: 'Whether the launch was registered before; if so, it has not changed.' }),
    launch: z.object({ id: z.uuid(), link: z.string().meta({ description: "URL of the launch's page." }) }),
    token: z.object({ id: z.uuid(), mintAddress: AddressString }),
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
