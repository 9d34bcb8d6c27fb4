type Fields = Record<string, unknown>

/** The whole answer, which has the same JSON twice, once inside a string. */
const ANSWER_BYTES_MAX = 30_000
/** For the protocol around it, and a caller's long request id. */
const ENVELOPE_BYTES = 1_000

/** How much of strangers' content is kept: characters of a text, and items of a list. */
const STEPS = [
  { characters: 2_000, items: 50 },
  { characters: 600, items: 20 },
  { characters: 200, items: 8 },
  { characters: 60, items: 3 },
]
const LEVELS_MAX = 12

interface FitOptions {
  /** Cuts a list that is too long at its start instead of its end. */
  leavesOff?: 'start' | undefined
  /** How the caller gets the rest of such a list. */
  rest?: string | undefined
}

/**
 * Makes an answer small enough for a model's context: first by shortening strangers' content, then by leaving it out,
 * and finally by cutting the longest list. The answer says what is missing.
 */
export function fitAnswer(answer: Fields, { leavesOff, rest }: FitOptions = {}): Fields {
  if (isSmall(answer)) return answer
  for (const step of STEPS) {
    const shortened = {
      ...(mapUntrusted(answer, part => shorten(part, step)) as Fields),
      shortened: SHORTENED,
    }
    if (isSmall(shortened)) return shortened
  }
  const bare = { ...(mapUntrusted(answer, () => undefined) as Fields), shortened: LEFT_OUT }
  return isSmall(bare) ? bare : cutLongestList(bare, leavesOff, rest)
}

const SHORTENED = 'Texts under untrusted are shortened, and end in …'
const LEFT_OUT = 'Everything under untrusted is left out, because it is too long.'

function isSmall(answer: Fields): boolean {
  const json = JSON.stringify(answer)
  const bytes = Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json))
  return bytes + ENVELOPE_BYTES <= ANSWER_BYTES_MAX
}

function mapUntrusted(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(item => mapUntrusted(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const changed = name === 'untrusted' ? change(part) : mapUntrusted(part, change)
      return changed === undefined ? [] : [[name, changed]]
    }),
  )
}

/** A UTF-16 surrogate without its second half. */
const HALF_CHARACTER = /[\ud800-\udbff]$/

function shorten(value: unknown, step: (typeof STEPS)[number], level = 0): unknown {
  if (typeof value === 'string')
    return value.length > step.characters
      ? `${value.slice(0, step.characters).replace(HALF_CHARACTER, '')}…`
      : value
  if (typeof value !== 'object' || value === null) return value
  if (level >= LEVELS_MAX) return '…'
  if (Array.isArray(value)) return value.slice(0, step.items).map(item => shorten(item, step, level + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, step.items)
      .map(([name, part]) => [name.slice(0, step.characters), shorten(part, step, level + 1)]),
  )
}

/** Keeps as many items as fit. */
function cutLongestList(answer: Fields, leavesOff: 'start' | undefined, rest: string | undefined): Fields {
  const found = findLongestList(answer)
  if (!found) return answer
  const { path, items } = found
  const keep = (count: number): Fields => ({
    ...(replaceAt(
      answer,
      path,
      leavesOff === 'start' ? items.slice(-count) : items.slice(0, count),
    ) as Fields),
    leftOff: `${items.length - count} of the ${items.length} items of ${path.join('.')} are left off, those at the ${leavesOff ?? 'end'}.${rest ? ` ${rest}` : ''}`,
  })
  let [fits, tooMany] = [0, items.length]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (isSmall(keep(middle))) fits = middle
    else tooMany = middle
  }
  return keep(fits)
}

interface FoundList {
  path: string[]
  items: unknown[]
}

/** Among the lists outside of other lists. */
function findLongestList(value: unknown, path: string[] = []): FoundList | undefined {
  if (Array.isArray(value)) return { path, items: value }
  if (typeof value !== 'object' || value === null) return undefined
  const found = Object.entries(value).flatMap(([name, part]) => findLongestList(part, [...path, name]) ?? [])
  return found.sort((a, b) => b.items.length - a.items.length)[0]
}

function replaceAt(value: unknown, [name, ...path]: string[], replacement: unknown): unknown {
  if (name === undefined) return replacement
  const fields = value as Fields
  return { ...fields, [name]: replaceAt(fields[name], path, replacement) }
}
