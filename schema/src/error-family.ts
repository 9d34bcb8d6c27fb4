import { z } from 'zod'
import type { ErrorDetail } from './errors.ts'

/** The two shapes of an error body. Every path has one of them, for all of its errors. */
type ErrorFamily = 'agents' | 'launches'

export const ErrorBody = {
  agents: z
    .object({
      success: z.literal(false),
      error: z.string(),
      details: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .optional()
        .meta({ description: 'The invalid fields, where the endpoint reports them.' }),
    })
    .meta({ id: 'AgentsError', description: 'Errors of agents, social verification and registration.' }),
  launches: z
    .object({ error: z.object({ message: z.string() }) })
    .meta({ id: 'LaunchesError', description: 'Errors of launches, tokens and creator rewards.' }),
}

/** Decides the shape from the request line. Unknown paths have the shape of launches. */
export function errorFamilyOf(method: string, rawPath: string): ErrorFamily {
  const path = readable(rawPath)
  if (['/v1/agents', '/v1/social', '/v1/twitter'].some(prefix => isUnder(path, prefix))) return 'agents'
  // `GET /launches/register` looks up a launch by that name; only other methods are registration. The same for `create`.
  const isNamed = ['/v1/launches/register', '/v1/launches/create'].some(prefix => isUnder(path, prefix))
  if (isNamed && !['GET', 'HEAD'].includes(method)) return 'agents'
  if (/^\/v1\/launches\/[^/]+\/links$/.test(path)) return 'agents'
  return 'launches'
}

/** `details` appear in the shape of agents only. */
export function errorBody(family: ErrorFamily, text: string, details?: readonly ErrorDetail[]): object {
  if (family === 'launches') return { error: { message: text } }
  return { success: false, error: text, ...(details && { details }) }
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}

/** A misspelt path is a 404, but in the shape of the family that it resembles. */
function readable(rawPath: string): string {
  const path = rawPath.split('?', 1)[0] ?? ''
  return path
    .replace(/%[0-9a-f]{2}/gi, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replace(/\/{2,}/g, '/')
    .toLowerCase()
}
