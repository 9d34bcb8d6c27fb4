import { z } from 'zod'
import { AddressString } from './address.ts'

export const LAUNCH_STATUSES = ['upcoming', 'live', 'graduated'] as const
export const LaunchStatus = z.enum(LAUNCH_STATUSES)
export type LaunchStatus = z.infer<typeof LaunchStatus>

const MECHANICS = ['launchpoolV2', 'presaleV2', 'bondingCurveV2'] as const
export const Mechanic = z.enum(MECHANICS)
export type Mechanic = z.infer<typeof Mechanic>

const Timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601 UTC with milliseconds.' })

export const BaseToken = z
  .object({
    address: AddressString,
    name: z.string(),
    symbol: z.string(),
    image: z.string(),
    description: z.string(),
  })
  .meta({ id: 'BaseToken' })
export type BaseToken = z.infer<typeof BaseToken>

const Launch = z
  .object({
    launchPage: z.string().meta({ description: "URL of the launch's page." }),
    mechanic: z
      .string()
      .meta({ description: 'Allocation mechanism: `launchpoolV2`, `presaleV2`, `bondingCurveV2`.' }),
    genesisAddress: AddressString,
    spotlight: z.boolean().meta({ description: 'Curated by the platform; no request can set it.' }),
    startTime: Timestamp,
    endTime: Timestamp,
    status: LaunchStatus,
    heroUrl: z
      .string()
      .nullable()
      .meta({ description: 'Relative storage path of the hero image; null if there is none.' }),
    graduatedAt: Timestamp.nullable(),
    lastActivityAt: Timestamp,
    type: z.enum(['launchpool', 'presale']),
  })
  .meta({ id: 'Launch' })

const SOCIAL_KEYS = ['x', 'telegram', 'discord'] as const
export const Socials = z
  .object({ x: z.string().optional(), telegram: z.string().optional(), discord: z.string().optional() })
  .meta({ id: 'Socials', description: 'URLs of the launch. Only the links that it has are present.' })
export type Socials = z.infer<typeof Socials>

export const LaunchData = z
  .object({ launch: Launch, baseToken: BaseToken, website: z.string(), socials: Socials })
  .meta({ id: 'LaunchData' })
export type LaunchData = z.infer<typeof LaunchData>

export const LaunchDetail = z
  .object({
    ...LaunchData.shape,
    verifiedSocials: z
      .array(z.enum(SOCIAL_KEYS))
      .meta({ description: 'Keys of `socials` whose accounts the launcher has proven to own.' }),
    agent: AddressString.optional().meta({ description: 'The agent that launched the token, if one did.' }),
  })
  .meta({ id: 'LaunchDetail' })
export type LaunchDetail = z.infer<typeof LaunchDetail>

export const TokenDetail = z
  .object({ launches: z.array(Launch), baseToken: BaseToken, website: z.string(), socials: Socials })
  .meta({ id: 'TokenDetail' })
export type TokenDetail = z.infer<typeof TokenDetail>

/** The kinds of bucket that a launch is made of: its mechanic, and the pool that it graduates into. */
export type BucketKind = Mechanic | 'raydiumCpmmV2'
