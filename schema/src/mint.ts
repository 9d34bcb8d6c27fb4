import { z } from 'zod'
import { AddressString } from './address.ts'
import { describeIssue } from './describe-issue.ts'
import { EXAMPLE_ADDRESSES } from './example-addresses.ts'
import { NetworkInput } from './network.ts'
import { BlockhashBody, Success } from './transaction.ts'
import { parseUrl } from './url.ts'

type JsonObject = Record<string, unknown>

const METADATA_BYTES_MAX = 32 * 1_024
const METADATA_LEVELS_MAX = 16
const METADATA_KEYS_MAX = 256
/** As deep as any card may be: it is parsed and serialised recursively. */
const CARD_LEVELS_MAX = 64
const NAME_LENGTH_MAX = 64
const URI_BYTES_MAX = 200

/** The fields of a registration document that are checked; all others pass through. */
export const RegistrationShape = z.looseObject({
  name: z.string(),
  description: z.string(),
  services: z.array(z.looseObject({ name: z.string(), endpoint: z.string() })).optional(),
  registrations: z.array(z.unknown()).optional(),
})

/** The value itself is kept: a parsed copy could have its keys in another order. */
const RegistrationInput = z
  .unknown()
  .superRefine((value, context) => {
    const problem = findProblem(value)
    if (problem !== undefined) return context.addIssue({ code: 'custom', message: problem })
    const { error } = RegistrationShape.safeParse(value, { error: describeIssue })
    for (const { path, message } of error?.issues ?? [])
      context.addIssue({ code: 'custom', path: [...path], message })
  })
  .transform(value => value as JsonObject & z.output<typeof RegistrationShape>)
  .meta({
    type: 'object',
    description:
      'The EIP-8004 registration document: `name` and `description`, and optionally `services` (`[{name, endpoint, …}]`), `registrations` and any other field. At most 32 KiB, 16 levels and 256 keys.',
    properties: {
      name: { type: 'string', description: "The agent's name." },
      description: { type: 'string', description: 'What the agent does.' },
      services: {
        type: 'array',
        description: 'Where to reach the agent. The hosted card is added, unless there is an A2A service.',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'The kind of service, such as `A2A`, `MCP` or `web`.' },
            endpoint: { type: 'string', description: 'Its URL.' },
          },
          required: ['name', 'endpoint'],
        },
      },
      registrations: {
        type: 'array',
        description: 'Where the agent is registered. This registration is added to the front.',
        items: {},
      },
    },
    required: ['name', 'description'],
    additionalProperties: {},
  })

function findProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object'
  const { levels, keys } = measure(value, METADATA_LEVELS_MAX)
  if (levels > METADATA_LEVELS_MAX) return `must have at most ${METADATA_LEVELS_MAX} levels`
  if (keys > METADATA_KEYS_MAX) return `must have at most ${METADATA_KEYS_MAX} keys`
  return bytesOf(JSON.stringify(value)) > METADATA_BYTES_MAX ? 'must be at most 32 KiB' : undefined
}

/** Its fields are checked later, together with the agent's address. */
const CardInput = z
  .unknown()
  .refine(isObject, { error: 'must be an object' })
  .refine(value => measure(value, CARD_LEVELS_MAX).levels <= CARD_LEVELS_MAX, {
    error: `must have at most ${CARD_LEVELS_MAX} levels`,
  })
  .transform(value => value as JsonObject)
  .meta({ $ref: '#/components/schemas/AgentCard' })
  .nullish()
  .meta({
    description:
      "An authored A2A card (1.0 or 0.3), served byte for byte as `JSON.stringify` writes it. A URL in it that points to this service must be this agent's.",
  })

/** A name is one line. PostgreSQL cannot store NUL, and UTF-8 cannot encode a lone surrogate. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

export const MintAgentBody = z
  .object({
    wallet: AddressString.meta({ description: 'Signs, pays for the agent and owns it.' }),
    network: NetworkInput,
    name: z
      .string()
      .refine(text => text !== '' && lengthOf(text) <= NAME_LENGTH_MAX, {
        error: `must have 1 to ${NAME_LENGTH_MAX} characters`,
      })
      .refine(text => !UNPRINTABLE.test(text), {
        error: 'must not have control characters or unpaired surrogates',
      })
      .meta({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: "The asset's name." }),
    uri: z
      .string()
      .refine(text => text !== '' && bytesOf(text) <= URI_BYTES_MAX, {
        error: `must have 1 to ${URI_BYTES_MAX} bytes`,
      })
      .refine(isMetadataUri, { error: 'must be an http(s), ipfs, ar or data URI' })
      .meta({ description: "URI of the asset's own metadata document, at most 200 bytes." }),
    agentMetadata: RegistrationInput,
    collectionAddress: AddressString.nullish().meta({
      description: 'Core collection to mint into. `wallet` must be its update authority or a delegate.',
    }),
    a2aCard: CardInput,
    asset: AddressString.nullish().meta({
      description:
        'Only if you want to choose the address of the agent: the public key of a fresh key pair of your own. You then sign with that key too. Without it, Slipway makes the key and signs with it.',
    }),
  })
  .meta({
    id: 'MintAgentBody',
    examples: [
      {
        wallet: EXAMPLE_ADDRESSES.owner,
        name: 'Ferrywright',
        uri: 'https://ferrywright.example/asset.json',
        agentMetadata: {
          type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
          name: 'Ferrywright',
          description: 'Plans ferry crossings around the tide.',
          services: [{ name: 'web', endpoint: 'https://ferrywright.example' }],
        },
      },
    ],
  })
export type MintAgentBody = z.output<typeof MintAgentBody>

export const MintedAgent = z
  .object({
    success: Success,
    tx: z.string().meta({ description: 'The transaction in base64.' }),
    blockhash: BlockhashBody,
    assetAddress: AddressString.meta({ description: "The new agent's address." }),
  })
  .meta({ id: 'MintedAgent' })

const SCHEMES = /^(?:https?|ipfs|ar):\/\/\S|^data:/i

/** Without control characters, which the URL parser would silently drop. */
function isMetadataUri(text: string): boolean {
  return SCHEMES.test(text) && !/[\p{Cc}\p{Cs}]/u.test(text) && parseUrl(text) !== undefined
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Counts levels and keys. Stops one level below the limit, so that no input can exhaust the stack. */
function measure(value: unknown, levelsMax: number): { levels: number; keys: number } {
  let [levels, keys] = [0, 0]
  const visit = (part: unknown, level: number) => {
    if (typeof part !== 'object' || part === null) return
    levels = Math.max(levels, level)
    if (level > levelsMax) return
    if (!Array.isArray(part)) keys += Object.keys(part).length
    for (const item of Object.values(part)) visit(item, level + 1)
  }
  visit(value, 1)
  return { levels, keys }
}

const encoder = new TextEncoder()
const bytesOf = (text: string) => encoder.encode(text).length
/** Characters outside the basic plane are two units of a string. */
const lengthOf = (text: string) => (text.length > 2 * NAME_LENGTH_MAX ? text.length : [...text].length)
