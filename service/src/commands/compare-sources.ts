import { printable, type Style } from '../lib/terminal.ts'

/** Undefined where a source doesn't have the field, or is missing itself. */
export type Field = [name: string, values: { store?: Value; chain?: Value; document?: Value }]
type Value = string | number | null | undefined

const SHOWN_MAX = 300
const NAME_WIDTH = 18

/** One line if all sources agree; otherwise a mark, and a line for each value. */
export function formatField([name, values]: Field, style: Style): string[] {
  const known = listKnown(values)
  if (known.every(([, value]) => !value)) return []
  const groups = groupByValue(known)
  return [...groups].map(([value, sources], at) => {
    const label = at > 0 ? '' : groups.size === 1 ? `  ${name}` : `≠ ${name}`
    const line = printable(`${label.padEnd(NAME_WIDTH)}${sources.join(', ')}: ${value}`)
    return groups.size === 1 ? line : style('yellow', line)
  })
}

/** The same fields by name, for `--json`. */
export const fieldsToJson = (fields: readonly Field[]) =>
  Object.fromEntries(
    fields.map(([name, values]) => [
      name,
      { ...Object.fromEntries(listKnown(values)), differs: groupByValue(listKnown(values)).size > 1 },
    ]),
  )

const listKnown = (values: Field[1]) => Object.entries(values).filter(([, value]) => value !== undefined)

function groupByValue(known: [source: string, value: Value][]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [source, found] of known) {
    const value = `${found || '-'}`.slice(0, SHOWN_MAX)
    groups.set(value, [...(groups.get(value) ?? []), source])
  }
  return groups
}
