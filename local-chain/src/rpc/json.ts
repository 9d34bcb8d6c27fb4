/** What is JSON already. Accounts are written this way: a program's hundred thousand would be walked member by member. */
export class WrittenJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** JSON with integers beyond 2^53, which a node writes as plain numbers (lamports, and the rent epoch of every account). */
export function toJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'bigint':
      return value.toString()
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object': {
      if (value === null) return 'null'
      if (value instanceof WrittenJson) return value.text
      if (Array.isArray(value)) return `[${value.map(entry => toJson(entry)).join(',')}]`
      const members: string[] = []
      for (const key in value) {
        const entry = (value as Record<string, unknown>)[key]
        if (entry !== undefined) members.push(`${JSON.stringify(key)}:${toJson(entry)}`)
      }
      return `{${members.join(',')}}`
    }
    default:
      return 'null'
  }
}
