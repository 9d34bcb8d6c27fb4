import { z } from 'zod'
import { AddressString } from './address.ts'
import {
  isHarmlessImage,
  readDiscordLink,
  readRelativePath,
  readSocialLink,
  readTelegramLink,
  readWebLink,
} from './links.ts'
import { NetworkInput } from './network.ts'

/** A text that `read` understands; an empty one counts as absent. */
function textField(read: (text: string) => string | undefined, description: string) {
  return z
    .string()
    .transform((text, context) => {
      if (text.trim() === '') return undefined
      const value = read(text)
      if (value !== undefined) return value
      context.addIssue({ code: 'custom', message: 'not understood' })
      return z.NEVER
    })
    .nullish()
    .meta({ description })
}

const social = textField(readSocialLink, 'A handle (`@name`, `name`) or the URL of a profile.')

const ExternalLinks = z
  .looseObject({
    website: textField(readWebLink, 'An http(s) URL.'),
    social,
    telegram: textField(readTelegramLink, 'A handle or an http(s) URL.'),
    discord: textField(readDiscordLink, 'An invitation, or an http(s) URL.'),
  })
  .transform((links, context) => {
    const { website, telegram, discord } = links
    // Existing SDK clients call it by the network's former name.
    const synonym = social.safeParse(links.twitter)
    if (!synonym.success) context.addIssue({ code: 'custom', message: 'not understood' })
    const x = links.social ?? synonym.data
    return {
      website: website ?? '',
      socials: { ...(x && { x }), ...(telegram && { telegram }), ...(discord && { discord }) },
    }
  })

/** What a launcher says of a launch. The chain decides whether it is so; whatever else was sent is ignored. */
export const RegisterLaunchBody = z
  // Loose for the sake of one synonym: see `tokenOf`.
  .looseObject({
    genesisAccount: AddressString,
    network: NetworkInput,
    launch: z.object({
      name: z.string().min(1).meta({ description: 'As on the chain.' }),
      symbol: z.string().min(1).meta({ description: 'As on the chain.' }),
      image: z
        .string()
        .refine(isHarmlessImage)
        .meta({ description: "Shown only where the token's own document has none." }),
      description: z
        .string()
        .nullish()
        .meta({ description: "Shown only where the token's own document has none." }),
      type: z.string().meta({ description: 'Of no consequence: the chain tells.' }),
      externalLinks: ExternalLinks.nullish(),
      heroUrl: textField(readRelativePath, 'Relative storage path of the hero image.'),
    }),
    creatorWallet: AddressString.nullish().meta({ description: 'Of no consequence: the chain tells.' }),
    agent: z
      .object({ mint: AddressString.meta({ description: "The agent's asset." }) })
      .nullish()
      .meta({ description: 'The agent that launched it; refused unless the chain ties them.' }),
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
    existing: z.boolean().meta({ description: 'It was registered before; nothing of it has changed.' }),
    launch: z.object({ id: z.uuid(), link: z.string().meta({ description: "URL of the launch's page." }) }),
    token: z.object({ id: z.uuid(), mintAddress: AddressString }),
  })
  .meta({ id: 'RegisteredLaunch' })
export type RegisteredLaunch = z.infer<typeof RegisteredLaunch>

const Token = z.string().nullish()

/** The verification token of a body, by its name or the one that existing SDK clients use; undefined for a fault. */
export function tokenOf(body: RegisterLaunchBody): { token: string | undefined } | undefined {
  const synonym = Token.safeParse(body.twitterVerificationToken)
  if (!synonym.success) return undefined
  return { token: body.socialVerificationToken || synonym.data || undefined }
}
