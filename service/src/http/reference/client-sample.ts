import type { Endpoint } from '../../endpoint/endpoint.ts'
import type { Parameter } from './openapi-types.ts'

/** Shows the call with `@slipway/client`, if the client has one for this endpoint. */
export function buildClientSample(
  { clientCall }: Endpoint,
  { publicUrl, parameters, body }: { publicUrl: string; parameters: readonly Parameter[]; body: unknown },
): { lang: string; label: string; source: string } | undefined {
  if (clientCall === undefined) return undefined
  const given = parameters.filter(parameter => parameter.in === 'path').map(({ example }) => example)
  const args = [...given, ...(body === undefined ? [] : [body])].map(value => toLiteral(value))
  const source = `import { createSlipway } from '@slipway/client'

const slipway = createSlipway({ url: '${publicUrl}' })
const result = await slipway.${clientCall}(${args.join(', ')})
console.log(result)
`
  return { lang: 'JavaScript', label: 'Slipway client', source }
}

/** JSON as people write it in JavaScript: plain keys without quotes, and single quotes around texts. */
function toLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const entries = Array.isArray(value)
    ? value.map(item => toLiteral(item, inner))
    : Object.entries(value).map(([key, item]) => `${toKey(key)}: ${toLiteral(item, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  const line = `${open}${entries.join(', ')}${close}`
  if (line.length <= LINE_LENGTH_MAX && !line.includes('\n'))
    return entries.length > 0 ? line : open.trim() + close.trim()
  return `${open.trim()}\n${entries.map(entry => `${inner}${entry},\n`).join('')}${indent}${close.trim()}`
}

const LINE_LENGTH_MAX = 60
const toKey = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`)
