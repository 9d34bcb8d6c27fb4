import { formatCount, networkName, shorten } from '../../lib/format.ts'

/** What `/readyz` said. */
export interface Readiness {
  isReady: boolean
  /** Empty if the operator keeps the details private, and while the service starts or stops. */
  parts: Part[]
  /** The step of a start or a stop. */
  note: string | undefined
}

export type PartState = 'ok' | 'slow' | 'failing'

/** Something that the service depends on. */
export interface Part {
  key: string
  name: string
  state: PartState
  /** In the service's own words. */
  detail: string
  /** How long it took to answer. */
  ms: number | undefined
  /** How far the index is behind the chain. */
  slotsBehind: number | undefined
  /** Whether trades are complete for only some launches. */
  isPartial: boolean
}

const LINE = /^([a-z][\w -]{0,60}): (ok|failing), (.{1,500})$/
const LINES_MAX = 32

/** Answers slower than this are called slow. */
const SLOW_MS: Record<string, number> = { store: 250, rpc: 1_000 }
const SECONDS_BEHIND_MAX = 60

export function parseReadiness(text: string, status: number): Readiness {
  const lines = text.trim().split('\n').slice(0, LINES_MAX)
  const parts = lines.flatMap(parsePart)
  const [first = ''] = lines
  const hasNote = parts.length === 0 && /^(starting|stopping)\b/.test(first)
  return { isReady: status === 200, parts, note: hasNote ? first : undefined }
}

function parsePart(line: string): Part[] {
  const [, key, state, detail] = LINE.exec(line) ?? []
  if (key === undefined || detail === undefined) return []
  const [kind = ''] = key.split(' ')
  const ms = numberIn(/ in ([\d.]+) ms/, detail)
  const slotsBehind = numberIn(/(\d+) slots \(/, detail)
  const secondsBehind = numberIn(/\d+ slots \(([\d.]+) s\)/, detail)
  const [, complete, all] = /^complete for (\d+) of (\d+) launches/.exec(detail) ?? []
  const isSlow = (ms ?? 0) > (SLOW_MS[kind] ?? Infinity) || (secondsBehind ?? 0) > SECONDS_BEHIND_MAX
  return [
    {
      key,
      name: nameOf(key),
      state: state === 'failing' ? 'failing' : isSlow ? 'slow' : 'ok',
      detail,
      ms,
      slotsBehind,
      isPartial: complete !== all,
    },
  ]
}

const NAMES: Record<string, string> = {
  store: 'Database',
  clock: 'Clock',
  site: 'Pages',
  listings: 'Listings',
  cards: 'Agent cards',
  rpc: 'Chain',
  indexer: 'Index',
  trades: 'Trades',
}

function nameOf(key: string): string {
  const [kind = '', network] = key.split(' ')
  const name = NAMES[kind]
  if (name === undefined) return key
  return network ? `${name}, ${networkName(network)}` : name
}

function numberIn(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** The service writes for programs too. People read names, round numbers and whole words. */
export function describeDetail(detail: string): string {
  const text = detail
    .replaceAll(/\bchain-\w+\b/g, network => networkName(network))
    // The ids of keys are long; their ends are enough here.
    .replaceAll(/[\w-]{32,}/g, id => shorten(id, 6))
    .replace(/^0\.0 s (ahead of|behind) the database's$/, "in step with the database's")
    .replaceAll(/\b([\d.]+) ms\b/g, (_, ms) => `${ms < 1 ? ms : Math.round(ms)} ms`)
    .replaceAll(/\bslot (\d+)\b/g, (_, slot) => `slot ${formatCount(Number(slot))}`)
    .replaceAll(/(?<![\d.,]|of )\b1 (page|restart|slot|launch)e?s\b/g, '1 $1')
    .replaceAll("'", '’')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
