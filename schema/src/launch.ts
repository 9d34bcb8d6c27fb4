import { z } from 'zod'
import { LaunchFigures } from './activity.ts'
import { AddressString } from './address.ts'
import { UNTRUSTED } from './marks.ts'

export const LAUNCH_STATUSES = ['upcoming', 'live', 'graduated'] as const
export const LaunchStatus = z.enum(LAUNCH_STATUSES)
export type LaunchStatus = z.infer<typeof LaunchStatus>

const MECHANICS = ['launchpoolV2', 'presaleV2', 'bondingCurveV2'] as const
export const Mechanic = z.enum(MECHANICS)
export type Mechanic = z.infer<typeof Mechanic>

const Timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601 UTC with milliseconds.' })

export const BaseToken = z
  .object({
    address: AddressString.meta({ description: "The token's mint." }),
    name: z.string().meta({ ...UNTRUSTED, description: "The token's name on the chain." }),
    symbol: z.string().meta({ ...UNTRUSTED, description: "The token's symbol on the chain." }),
    image: z.string().meta({ ...UNTRUSTED, description: 'URI of a picture; may be empty.' }),
    description: z
      .string()
      .meta({ ...UNTRUSTED, description: "From the token's own document; may be empty." }),
  })
  .meta({ id: 'BaseToken', description: 'A token, as the chain and its own document describe it.' })
export type BaseToken = z.infer<typeof BaseToken>

export const Launch = z
  .object({
    launchPage: z.string().meta({ description: "URL of the launch's page." }),
    mechanic: z
      .string()
      .meta({ description: 'Allocation mechanism: `launchpoolV2`, `presaleV2`, `bondingCurveV2`.' }),
    genesisAddress: AddressString.meta({ description: "The launch's address." }),
    spotlight: z.boolean().meta({ description: 'Curated by the operator; no request can set it.' }),
    startTime: Timestamp.meta({ description: 'When it opens. ISO 8601 UTC with milliseconds.' }),
    endTime: Timestamp.meta({ description: 'When it closes.' }),
    status: LaunchStatus.meta({
      description:
        '`upcoming` until `startTime`, then `live`, and `graduated` once its pool exists or, without one, once its proceeds have been sent.',
    }),
    heroUrl: z
      .string()
      .nullable()
      .meta({
        ...UNTRUSTED,
        description: 'Relative storage path of the hero image; null if there is none.',
      }),
    graduatedAt: Timestamp.nullable().meta({ description: 'When it graduated; null if it has not.' }),
    lastActivityAt: Timestamp.meta({
      description: 'When something last happened on the chain. Listings are ordered by it.',
    }),
    type: z
      .enum(['launchpool', 'presale'])
      .meta({ description: 'The kind of launch, for clients that know only these two.' }),
  })
  .meta({ id: 'Launch', description: 'A launch, as the chain describes it.' })

const SOCIAL_KEYS = ['x', 'telegram', 'discord'] as const
export const Socials = z
  .object({
    x: z.string().optional().meta({ description: 'URL of the profile on X.' }),
    telegram: z.string().optional().meta({ description: 'URL on Telegram.' }),
    discord: z.string().optional().meta({ description: 'URL of an invitation on Discord.' }),
  })
  .meta({
    ...UNTRUSTED,
    id: 'Socials',
    description: 'URLs of the launch. Only the links that it has are present.',
  })
export type Socials = z.infer<typeof Socials>

const ABOUT = {
  baseToken: BaseToken.meta({ description: 'The token that is launched.' }),
  website: z.string().meta({ ...UNTRUSTED, description: 'URL; empty if there is none.' }),
  socials: Socials,
}

export const LaunchData = z.object({ launch: Launch, ...ABOUT }).meta({
  id: 'LaunchData',
  description:
    'A launch with its token and links, in at most 6 kB. A long description ends in `…`, and a longer picture or link is left out. The launch’s detail has them whole.',
})
export type LaunchData = z.infer<typeof LaunchData>

export const LaunchPageInfo = z
  .object({
    next: z.string().nullable().meta({ description: 'The `cursor` of the next page; null on the last one.' }),
    total: z.int().min(0).meta({
      description:
        'Matching launches on all pages. A search counts at most 5,000. With `closed`, it may be five seconds old.',
    }),
    counts: z
      .object({
        upcoming: z.int().min(0).meta({ description: 'Launches that have not started.' }),
        live: z.int().min(0).meta({ description: 'Launches that have started and not graduated.' }),
        graduated: z.int().min(0).meta({ description: 'Launches that have graduated.' }),
        closed: z.int().min(0).meta({
          description: 'Launches among the live ones whose end has passed. May be five seconds old.',
        }),
      })
      .optional()
      .meta({
        description:
          'Only if the request asks for `counts`: how many launches of each status there are, and how many of the live ones are closed, under the same `mechanic` and `spotlight`.',
      }),
    figures: z.array(LaunchFigures).optional().meta({
      description: "Only if the request asks for `figures`: the newest figures of this page's launches.",
    }),
  })
  .meta({ id: 'LaunchPageInfo', description: 'Where a page is in its list.' })
export type LaunchPageInfo = z.infer<typeof LaunchPageInfo>

export const LaunchDetail = z
  .object({
    ...LaunchData.shape,
    verifiedSocials: z.array(z.enum(SOCIAL_KEYS)).meta({
      description: 'Keys of `socials` for which the launcher has proven that they own the account.',
    }),
    agent: AddressString.optional().meta({
      description: 'The agent behind the launch, if both sides agree.',
    }),
    existingToken: z.literal(true).optional().meta({
      description: 'The token existed before, so the links are not those of its maker.',
    }),
  })
  .meta({ id: 'LaunchDetail', description: 'A launch with its token, its links and their proofs.' })
export type LaunchDetail = z.infer<typeof LaunchDetail>

export const TokenDetail = z
  .object({ launches: z.array(Launch).meta({ description: 'Newest activity first.' }), ...ABOUT })
  .meta({ id: 'TokenDetail', description: 'A token with all of its launches.' })
export type TokenDetail = z.infer<typeof TokenDetail>

/** The kinds of bucket that a launch is made of: its mechanic, and the pool that it graduates into. */
export type BucketKind = Mechanic | 'raydiumCpmmV2'
