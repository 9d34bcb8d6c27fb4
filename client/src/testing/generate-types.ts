import { NETWORKS } from '@slipway/schema/network'
import { z } from 'zod'

type Json = Record<string, unknown> & { properties?: Record<string, Json>; description?: string }

/** What the generator reads of an endpoint. */
export interface EndpointShape {
  id: string
  query?: z.ZodObject
  body?: z.ZodObject
  success: { schema: z.ZodType }
}

interface Names {
  /** The type of the body or the query. */
  request?: string
  /** The type of the answer, or of what is under `unwrap` in it. A schema that has an id needs none. */
  response?: string
  unwrap?: string
}

/** The names that the calls use, for each endpoint. */
const NAMES: Record<string, Names> = {
  listAgents: { request: 'ListAgentsRequest', response: 'AgentPage', unwrap: 'data' },
  getAgent: {},
  getAgentWallet: { response: 'AgentWallet', unwrap: 'data' },
  getAgentCard: {},
  getWellKnownAgentCard: {},
  getNetworkAgentCard: {},
  getNetworkWellKnownAgentCard: {},
  getJwks: {},
  mintAgent: { request: 'MintAgentRequest', response: 'MintedAgent' },
  fundAgent: { request: 'FundRequest', response: 'BuiltTransfer' },
  withdrawFromAgent: { request: 'WithdrawRequest', response: 'BuiltTransfer' },
  getAgentDelegates: { response: 'AgentDelegates', unwrap: 'data' },
  delegateAgent: { request: 'DelegateRequest', response: 'BuiltTransaction' },
  revokeDelegate: { request: 'RevokeRequest', response: 'BuiltTransaction' },
  registerExecutive: { request: 'RegisterExecutiveRequest', response: 'BuiltTransaction' },
  replaceAgentCard: { request: 'ReplaceCardRequest' },
  removeAgentCard: { request: 'OwnerSignature' },
  listLaunches: { request: 'ListLaunchesRequest' },
  getLaunch: {},
  getLaunchActivity: { request: 'LaunchActivityRequest', response: 'LaunchActivity', unwrap: 'data' },
  getLaunchTrades: { request: 'LaunchTradesRequest', response: 'LaunchTrades', unwrap: 'data' },
  getLaunchCandles: { request: 'LaunchCandlesRequest', response: 'LaunchCandles', unwrap: 'data' },
  getLaunchHolders: { response: 'LaunchHolders', unwrap: 'data' },
  getQuote: { request: 'QuoteRequest' },
  swap: { request: 'SwapRequest' },
  depositInLaunch: { request: 'DepositRequest' },
  withdrawFromLaunch: { request: 'WithdrawDepositRequest' },
  claimFromLaunch: { request: 'LaunchClaimRequest' },
  graduateLaunch: { request: 'GraduateRequest' },
  getPosition: {},
  createLaunch: { request: 'CreateLaunchRequest' },
  registerLaunch: { request: 'RegisterLaunchRequest' },
  changeLaunchLinks: { request: 'ChangeLinksRequest' },
  getToken: {},
  getWallet: { request: 'WalletRequest' },
  getWalletTrades: { request: 'WalletTradesRequest' },
  claimCreatorRewards: { request: 'ClaimRequest' },
  getCreatorRewards: {},
  verifySocial: { request: 'VerifySocialRequest', response: 'VerifiedSocial' },
  verifyTwitter: {},
  getDocument: {},
  searchRegistry: {},
  listRegistry: {},
  getRegistryEntry: {},
  exploreRegistry: {},
  followEvents: {},
}

/** Schemas without an id that deserve a name: those with these fields, or with this constant as `type`. */
const NAMED_BY_FIELDS: Record<string, string[]> = {
  ExternalLinks: ['website', 'social', 'telegram', 'discord'],
  AgentInterface: ['url', 'protocolBinding', 'transport'],
  RewardTotals: ['quoteMint', 'accrued', 'claimable'],
}
const NAMED_BY_TYPE: Record<string, string> = {
  launchpoolV2: 'LaunchPoolAllocation',
  bondingCurveV2: 'BondingCurveAllocation',
  unlockedV2: 'UnlockedAllocation',
  RaydiumLP: 'RaydiumFundFlow',
  UnlockedFunds: 'UnlockedFundFlow',
}
const NAMED_ENUMS: Record<string, string> = {
  [NETWORKS.join()]: 'Network',
  'upcoming,live,graduated': 'LaunchStatus',
}
/** Fields whose schema accepts anything, because the service checks them itself. */
const UNCHECKED: Record<string, string> = {
  agentMetadata: 'RegistrationDocument',
  a2aCard: 'JsonObject | null',
}
/** All other parameters of a query can be left out. */
const REQUIRED_PARAMETERS = ['side', 'amount']
/** What the fields of a request mean in the client. */
const DESCRIPTIONS: Record<string, string> = { network: "The network; the client's by default." }
const ADDRESS_DESCRIPTION = 'An address on the chain: base58 of exactly 32 bytes.'
const ADDRESS_PATTERN = '^[1-9A-HJ-NP-Za-km-z]{32,44}$'

const PREAMBLE = `/** ${ADDRESS_DESCRIPTION} */
export type Address = string

export type Network = ${NETWORKS.map(network => `'${network}'`).join(' | ')}

export type LaunchStatus = 'upcoming' | 'live' | 'graduated'

export type JsonObject = Record<string, unknown>
`

/** TypeScript for every request and answer, from the schemas that the service itself validates with. */
export function generateTypes(
  endpoints: readonly EndpointShape[],
  /** Schemas that no endpoint has. */
  more: Record<'input' | 'output', Record<string, z.ZodType>>,
): string {
  const declared = new Map<string, string>()
  /** Requests accept an explicit `undefined`, which JSON leaves out. */
  const scope = (io: 'input' | 'output', isQuery = false) => createWriter({ io, isQuery, declared })
  for (const io of ['input', 'output'] as const)
    for (const [name, schema] of Object.entries(more[io])) scope(io).declare(name, toJson(schema, io))
  for (const { id, query, body, success } of endpoints) {
    const names = NAMES[id]
    if (!names) throw new Error(`name the types of ${id} in generate-types.ts`)
    const request = body ?? query
    if (request && names.request) scope('input', !body).declare(names.request, toJson(request, 'input'))
    const answer = toJson(success.schema, 'output')
    const writer = scope('output')
    const value = names.unwrap ? (answer.properties?.[names.unwrap] as Json) : answer
    if (names.response) writer.declare(names.response, { ...value, $defs: answer.$defs })
    else writer.typeOf(answer)
  }
  const types = [...declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  return `${PREAMBLE}\n${types.join('\n')}`
}

function createWriter({
  io,
  isQuery,
  declared,
}: {
  io: 'input' | 'output'
  isQuery: boolean
  declared: Map<string, string>
}) {
  let definitions: Record<string, Json> = {}

  /** An answer's `success` is left out: a failure is an exception. */
  function fieldsOf(schema: Json): string {
    const required = (schema.required ?? []) as string[]
    const fields = Object.entries(schema.properties ?? {}).filter(
      ([name]) => io === 'input' || name !== 'success',
    )
    const lines = fields.map(([name, field]) => {
      const isOptional = isQuery ? !REQUIRED_PARAMETERS.includes(name) : !required.includes(name)
      const type = (io === 'input' && UNCHECKED[name]) || typeOf(field)
      const optional = io === 'input' ? `?: ${type} | undefined` : `?: ${type}`
      const about = io === 'input' && DESCRIPTIONS[name] ? { description: DESCRIPTIONS[name] } : field
      return `${comment(about)}${name}${isOptional ? optional : `: ${type}`}\n`
    })
    const isLoose = schema.additionalProperties !== undefined && schema.additionalProperties !== false
    return `{\n${lines.join('')}${isLoose ? '[field: string]: unknown\n' : ''}}`
  }

  function typeOf(schema: Json): string {
    if (schema.$defs) definitions = { ...definitions, ...(schema.$defs as Record<string, Json>) }
    if (typeof schema.$ref === 'string') return reference(schema.$ref.split('/').at(-1) as string)
    if (typeof schema.id === 'string') return named(schema.id, schema)
    const union = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
    if (union) return join(union.map(typeOf))
    if (schema.const !== undefined) return literal(schema.const)
    if (Array.isArray(schema.enum)) return enumOf(schema.enum)
    if (Array.isArray(schema.type)) return join(schema.type.map(type => typeOf({ ...schema, type })))
    switch (schema.type) {
      case 'string':
        return stringOf(schema)
      case 'number':
      case 'integer':
        return 'number'
      case 'boolean':
      case 'null':
        return schema.type
      case 'array':
        return `(${typeOf(schema.items as Json)})[]`
      case 'object':
        return objectOf(schema)
      default:
        return 'unknown'
    }
  }

  function objectOf(schema: Json): string {
    const fields = Object.keys(schema.properties ?? {})
    if (fields.length === 0) return 'JsonObject'
    const found = Object.entries(NAMED_BY_FIELDS).find(([, keys]) => keys.every(key => fields.includes(key)))
    const name = found?.[0] ?? NAMED_BY_TYPE[`${schema.properties?.type?.const}`]
    return name ? named(name, schema) : fieldsOf(schema)
  }

  function stringOf(schema: Json): string {
    if (schema.pattern === ADDRESS_PATTERN) return 'Address'
    return isQuery && /^date/.test(`${schema.format}`) ? 'string | Date' : 'string'
  }

  function enumOf(values: unknown[]): string {
    if (isQuery && values.join() === 'true,false') return 'boolean'
    return NAMED_ENUMS[values.join()] ?? values.map(literal).join(' | ')
  }

  function reference(name: string): string {
    const schema = definitions[name]
    return schema ? named(name, schema) : name
  }

  function named(name: string, { id: _, ...schema }: Json): string {
    if (!declared.has(name)) declare(name, schema)
    return name
  }

  function declare(name: string, { id: _, ...schema }: Json): void {
    // Named before it is written, because a type can contain itself.
    declared.set(name, '')
    if (schema.$defs) definitions = { ...definitions, ...(schema.$defs as Record<string, Json>) }
    // The calls have a name of their own for a schema that has another one.
    if (typeof schema.$ref === 'string') {
      declare(name, definitions[schema.$ref.split('/').at(-1) as string] ?? {})
      return
    }
    const isObject = schema.type === 'object' && schema.properties !== undefined
    const text = isObject ? `interface ${name} ${fieldsOf(schema)}` : `type ${name} = ${typeOf(schema)}`
    declared.set(name, `${comment(schema)}export ${text}\n`)
  }

  return { typeOf, declare }
}

function toJson(schema: z.ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // Zod leaves out the default of a field that is transformed.
    override({ zodSchema, jsonSchema }) {
      const value = z.globalRegistry.get(zodSchema as never)?.default
      if (value !== undefined) jsonSchema.default = value as never
    },
  }) as Json
}

/** Two formats of a string are one type. */
const join = (types: string[]) => [...new Set(types)].join(' | ')

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : `${value}`)

/** The description, and the default where the description does not mention one. */
function comment({ description = '', default: value }: Json): string {
  const isMentioned = value === undefined || /default/i.test(description)
  const text = [description, isMentioned ? '' : `Default: \`${value}\`.`]
    .filter(part => part && part !== ADDRESS_DESCRIPTION)
    .join(' ')
    .replaceAll('*/', '*\\/')
  if (text.length <= LINE_LENGTH) return text && `/** ${text} */\n`
  // Fills each line with as many words as fit.
  const lines = text.match(new RegExp(`.{1,${LINE_LENGTH}}(?:\\s|$)`, 'g')) ?? [text]
  return `/**\n${lines.map(line => ` * ${line.trim()}\n`).join('')} */\n`
}

const LINE_LENGTH = 100
