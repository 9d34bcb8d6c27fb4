import { z } from 'zod'
import { AddressString } from './address.ts'
import { cleanName } from './clean-text.ts'
import { EXAMPLE_ADDRESSES } from './example-addresses.ts'
import { LaunchAllocations } from './launch-allocations.ts'
import { NetworkInput } from './network.ts'
import { ExternalLinks } from './registration.ts'
import { BlockhashBody, Success } from './transaction.ts'
import { parseUrl } from './url.ts'

const NAME_BYTES_MAX = 32
const SYMBOL_BYTES_MAX = 10
const DESCRIPTION_LENGTH_MAX = 250
const IMAGE_LENGTH_MAX = 2_048
const DECIMALS = 6
const DECIMALS_MAX = 9
const SUPPLY = 1_000_000_000
/** The mint of the wrapped native currency. */
const QUOTE_MINT = 'So11111111111111111111111111111111111111112' as z.output<typeof AddressString>

/** A name is one line. PostgreSQL cannot store NUL, and UTF-8 cannot encode a lone surrogate. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u
/**
 * Format characters such as those for direction. Joiners are visible only where their neighbours change shape, so
 * they are allowed between two emoji and, as in domain names (RFC 5892, appendix A), between Arabic letters that
 * would join and after a virama.
 */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`
/** Arabic letters that do not join the next one. */
const UNJOINED = String.raw`[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef]`
const ARABIC = String.raw`(?=\p{L})\p{Script=Arabic}`
const JOINED = [
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=(?!${UNJOINED})${ARABIC}\p{Mn}*)\u200c(?=${ARABIC})`,
  String.raw`(?<=${VIRAMA})[\u200c\u200d]`,
]
const UNSEEN = new RegExp(String.raw`(?!${JOINED.join('|')})\p{Cf}`, 'u')
const encoder = new TextEncoder()

/** A text that a program stores: its limit is in bytes. */
const chainText = (bytesMax: number, description: string) =>
  z
    .string()
    .refine(text => text !== '' && encoder.encode(text).length <= bytesMax, {
      error: `must have 1 to ${bytesMax} bytes`,
    })
    .refine(text => !UNPRINTABLE.test(text), {
      error: 'must not have control characters or unpaired surrogates',
    })
    .refine(text => !UNSEEN.test(text), { error: 'must not have invisible characters' })
    .refine(text => text === '' || cleanName(text) !== undefined, {
      error: 'must have a visible character',
    })
    .meta({ minLength: 1, maxLength: bytesMax, description })

function isWebUrl(text: string): boolean {
  return (
    /^https?:\/\/\S+$/i.test(text) &&
    text.length <= IMAGE_LENGTH_MAX &&
    !UNPRINTABLE.test(text) &&
    parseUrl(text) !== undefined
  )
}

/** A field with a default for a missing value or null. */
const withDefault = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema.nullish().transform(given => given ?? value)

const LaunchInput = z
  .object({
    // `type` comes first, because an unsupported type is reported before any other error.
    type: z.enum(['launchpool', 'bondingCurve']).meta({
      description:
        'A launch pool shares its tokens among the depositors; a bonding curve sells them at a price that follows a curve.',
    }),
    allocations: LaunchAllocations.meta({
      description:
        'Where the supply goes: exactly one launch pool or bonding curve, as `type` says, and any number of unlocked parts.',
    }),
    publicKey: AddressString.meta({ description: 'The same as `wallet`.' }),
    name: chainText(NAME_BYTES_MAX, "The token's name, at most 32 bytes of UTF-8."),
    symbol: chainText(SYMBOL_BYTES_MAX, "The token's symbol, at most 10 bytes of UTF-8."),
    image: z
      .string()
      .refine(isWebUrl, { error: 'must be an http(s) URL' })
      .meta({ format: 'uri', description: 'An http(s) URL.' }),
    description: z
      .string()
      .refine(
        text => text.length <= 2 * DESCRIPTION_LENGTH_MAX && [...text].length <= DESCRIPTION_LENGTH_MAX,
        {
          error: `must have at most ${DESCRIPTION_LENGTH_MAX} characters`,
        },
      )
      .refine(text => !/[\p{Cs}]/u.test(text), { error: 'must not have unpaired surrogates' })
      .nullish()
      .meta({ maxLength: DESCRIPTION_LENGTH_MAX, description: 'What the token is for.' }),
    decimals: withDefault(z.int().min(0).max(DECIMALS_MAX), DECIMALS).meta({
      default: DECIMALS,
      description: 'Decimals of the token.',
    }),
    supply: withDefault(z.number().positive(), SUPPLY).meta({
      default: SUPPLY,
      description: 'Whole tokens. The supplies of all allocations and fund flows add up to it exactly.',
    }),
    network: NetworkInput,
    quoteMint: withDefault(AddressString, QUOTE_MINT).meta({
      default: QUOTE_MINT,
      description: 'The mint of the payment token.',
    }),
    finalize: withDefault(z.boolean(), true).meta({
      default: true,
      description: 'Whether the last transaction finalizes the launch, after which it cannot change.',
    }),
    isMutable: z
      .literal(true, { error: 'must be true: the program creates mutable metadata only' })
      .nullish()
      .meta({ description: 'Only `true`: the program creates mutable metadata only.' }),
    useExistingToken: z
      .literal(false, { error: 'must be false: a launch creates a new token' })
      .nullish()
      .meta({ description: 'Only `false`: a launch creates a new token.' }),
    externalLinks: ExternalLinks.nullish().meta({ description: 'Links of the token.' }),
  })
  .meta({
    id: 'LaunchInput',
    description:
      'What `buildCreateLaunchPayload` of the official SDK sends for a launch pool or a bonding curve. Other fields are ignored.',
  })
export type LaunchInput = z.output<typeof LaunchInput>

const EXAMPLE_WALLET = EXAMPLE_ADDRESSES.owner

/** A bonding curve with the numbers of the official SDK. */
const EXAMPLE = {
  wallet: EXAMPLE_WALLET,
  launch: {
    type: 'bondingCurve',
    publicKey: EXAMPLE_WALLET,
    name: 'Harbour Lights',
    symbol: 'LAMP',
    image: 'https://images.example/harbour-lights.png',
    allocations: [
      {
        type: 'bondingCurveV2',
        supply: 717948717.948717,
        bondingCurveV2: {
          swapStartCondition: { type: 'Always' },
          swapEndCondition: { type: 'Triggered' },
          virtualBaseTokens: 464555052.790349,
          virtualQuoteTokens: 55,
          creatorFee: { enabled: true, wallet: EXAMPLE_WALLET },
          fundFlows: [
            {
              type: 'RaydiumLP',
              supply: 282051282.051283,
              percentageBps: 10_000,
              startCondition: { type: 'Always' },
              lpLockSchedule: {
                enabled: true,
                startCondition: { type: 'Never' },
                duration: 1,
                period: 1,
                cliffCondition: { type: 'Never' },
                cliffAmountBps: 0,
              },
              creatorFee: { enabled: true, wallet: EXAMPLE_WALLET },
            },
          ],
        },
      },
    ],
  },
}

export const CreateLaunchBody = z
  .object({
    wallet: AddressString.meta({ description: 'Signs and pays.' }),
    launch: LaunchInput.meta({ description: 'The token and how it is launched.' }),
    agent: z
      .object({
        mint: AddressString.meta({ description: "Address of the agent's asset, which `wallet` owns." }),
        setToken: withDefault(z.boolean(), false).meta({
          default: false,
          description: "Whether the token becomes the agent's own. An agent has one token for good.",
        }),
      })
      .nullish()
      .meta({ description: "The agent that creates the launch: its wallet becomes the launch's authority." }),
    mint: AddressString.nullish().meta({
      description:
        'Only if you want to choose the address of the token: the public key of a fresh key pair of your own. You then sign the first transaction with that key too. Without it, Slipway makes the key and signs with it.',
    }),
    genesisAccount: AddressString.nullish().meta({
      description:
        'Only to continue a creation that stopped halfway: the `genesisAccount` of the first response. Everything else must be the same as before. Leave it out to create a launch.',
    }),
  })
  .meta({ id: 'CreateLaunchBody', examples: [EXAMPLE] })
export type CreateLaunchBody = z.output<typeof CreateLaunchBody>

export const CreatedLaunch = z
  .object({
    success: Success,
    transactions: z.array(z.string()).meta({
      description: 'In base64. Sign and send them in this order, each after the one before is confirmed.',
    }),
    blockhash: BlockhashBody,
    mintAddress: AddressString.meta({ description: "The new token's mint." }),
    genesisAccount: AddressString.meta({ description: "The new launch's address." }),
  })
  .meta({ id: 'CreatedLaunch' })
