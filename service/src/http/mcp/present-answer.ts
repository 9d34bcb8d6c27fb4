import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { AmountOf } from '@slipway/schema/marks'
import { z } from 'zod'
import { formatSol, formatUnits } from '../../lib/format-units.ts'

type Fields = Record<string, unknown>

/** Needed to make an amount readable. A nested object inherits the fields that it doesn't have itself. */
interface Tokens {
  quoteMint?: unknown
  quoteDecimals?: unknown
  baseDecimals?: unknown
  side?: unknown
  decimals?: unknown
}

/**
 * An answer as a model gets it. In every object, strangers' content is under `untrusted`, and amounts have a readable
 * form under `readable`. Fields that the schema doesn't know count as written by strangers.
 */
export function presentAnswer(schema: z.ZodType, answer: unknown, without: readonly string[] = []): Fields {
  if (isMarked(schema)) return { untrusted: answer }
  return present(schema, answer, {}, new Set(without)) as Fields
}

function present(schema: z.ZodType, value: unknown, outer: Tokens, without: ReadonlySet<string>): unknown {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map(item => present(inner.element as z.ZodType, item, outer, without))
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value
  const tokens = { ...outer, ...pickTokens(value) }
  const trusted: [string, unknown][] = []
  const untrusted: [string, unknown][] = []
  const readable: [string, unknown][] = []
  for (const [name, part] of Object.entries(value)) {
    const field = Object.hasOwn(inner.shape, name) ? (inner.shape[name] as z.ZodType) : undefined
    if (without.has(name)) continue
    if (!field || (part !== null && isMarked(field))) {
      untrusted.push([name, part])
      continue
    }
    trusted.push([name, present(field, part, tokens, without)])
    const form = describeAmount(part, markOf(field, 'x-amount') as AmountOf | undefined, tokens)
    if (form !== undefined) readable.push([name, form])
  }
  return Object.fromEntries([
    ...trusted,
    ...(readable.length > 0 ? [['readable', Object.fromEntries(readable)]] : []),
    ...(untrusted.length > 0 ? [['untrusted', Object.fromEntries(untrusted)]] : []),
  ])
}

function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType }
  return innerType ? unwrap(innerType) : schema
}

/** The mark of a field, which may be inside what makes it optional. */
function markOf(schema: z.ZodType, mark: string): unknown {
  const { innerType } = schema.def as { innerType?: z.ZodType }
  return schema.meta()?.[mark] ?? (innerType && markOf(innerType, mark))
}

const isMarked = (schema: z.ZodType) => markOf(schema, 'x-untrusted') === true

/** The fields of an object that say which tokens it is about, as far as it has them. */
function pickTokens(value: object): Tokens {
  // A transaction for a launch comes with a position, which names the payment token.
  const { position, ...own } = value as Tokens & { position?: Tokens }
  const { quoteMint, quoteDecimals, baseDecimals, side, decimals } = { ...position, ...own }
  return Object.fromEntries(
    Object.entries({ quoteMint, quoteDecimals, baseDecimals, side, decimals }).filter(
      ([, part]) => part != null,
    ),
  )
}

function describeAmount(amount: unknown, of: AmountOf | undefined, tokens: Tokens): string | undefined {
  if (of === undefined || typeof amount !== 'string' || !/^\d+$/.test(amount)) return undefined
  const { quoteMint, quoteDecimals, baseDecimals, side } = tokens
  if (of === 'other')
    return typeof tokens.decimals === 'number' ? formatUnits(BigInt(amount), tokens.decimals) : undefined
  const isQuote =
    of === 'quote' || (of === 'paid' && side === 'buy') || (of === 'received' && side === 'sell')
  if (isQuote && quoteMint === WRAPPED_NATIVE_MINT) return formatSol(BigInt(amount))
  const decimals = isQuote ? quoteDecimals : baseDecimals
  if (typeof decimals !== 'number') return undefined
  return `${formatUnits(BigInt(amount), decimals)} of the ${isQuote ? 'payment' : 'launched'} token`
}
