/** Text that is already JSON. Accounts are encoded this way: visiting each field of 100,000 accounts would be slow. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Encodes JSON with bigints as plain numbers, as a node does: lamports and rent epochs can exceed 2^53. */
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
      if (value instanceof RawJson) return value.text
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
