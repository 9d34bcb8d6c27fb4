import type { LaunchTrade } from '@slipway/schema/market'

const COLUMNS = [
  'signature',
  'index',
  'slot',
  'time',
  'kind',
  'wallet',
  'agent',
  'baseAmount',
  'quoteAmount',
  'protocolFee',
  'creatorFee',
  'price',
] as const satisfies (keyof LaunchTrade)[]

/** As RFC 4180 has it, with a line of names. Null is an empty field. */
export function toCsv(trades: readonly LaunchTrade[]): string {
  const rows = trades.map(trade => COLUMNS.map(name => trade[name]))
  return [COLUMNS, ...rows].map(row => `${row.map(toField).join()}\r\n`).join('')
}

function toField(value: string | number | null): string {
  const text = `${value ?? ''}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Whether the caller asks for CSV rather than JSON. */
export function prefersCsv(accept: string | undefined): boolean {
  const weights = new Map<string, number>()
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim())
    const q = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
    weights.set(type, Number.isNaN(q) ? 0 : q)
  }
  const csv = weights.get('text/csv') ?? 0
  return csv > 0 && csv >= (weights.get('application/json') ?? 0)
}
