import type { z } from 'zod'

/** A Zod error map: says what a value must be, for callers. A message that a field has of its own comes first. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (isAbsent(issue)) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected as string] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${anyOf(issue.values as unknown[])}`
    case 'invalid_union':
      return issue.discriminator === undefined ? NOT_VALID : `must be ${anyOf(issue.options as unknown[])}`
    case 'too_small':
      return `must ${atLeast(issue)}`
    case 'too_big':
      return `must ${atMost(issue)}`
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be an ISO time with a time zone' : NOT_VALID
    default:
      return NOT_VALID
  }
}

const NOT_VALID = 'is not valid'

const TYPES: Record<string, string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

/** For an unknown member of a union, Zod reports the discriminator's path, but the whole object as input. */
function isAbsent({ input, discriminator }: z.core.$ZodRawIssue): boolean {
  if (discriminator === undefined) return input === undefined
  return (input as Record<string, unknown>)[discriminator as string] === undefined
}

function anyOf(values: readonly unknown[]): string {
  const last = `${values.at(-1)}`
  return values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${last}` : last
}

const atLeast = ({ origin, minimum, inclusive }: z.core.$ZodRawIssue): string =>
  UNITS[origin as string]?.('at least', minimum) ??
  (inclusive ? `be ${minimum} or more` : `be more than ${minimum}`)

const atMost = ({ origin, maximum, inclusive }: z.core.$ZodRawIssue): string =>
  UNITS[origin as string]?.('at most', maximum) ??
  (inclusive ? `be ${maximum} or less` : `be less than ${maximum}`)

const counted = (unit: string) => (bound: string, count: unknown) =>
  `have ${bound} ${count} ${unit}${count === 1 ? '' : 's'}`

/** What is counted in values that have a length. */
const UNITS: Record<string, ReturnType<typeof counted>> = {
  string: counted('character'),
  array: counted('item'),
}
