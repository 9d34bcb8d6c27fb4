import { z } from 'zod'

/** The two shapes an error body can have. A path belongs to one of them, whatever goes wrong on it. */
export type ErrorFamily = 'agents' | 'launches'

export const ErrorBody = {
  agents: z
    .object({ success: z.literal(false), error: z.string() })
    .meta({ id: 'AgentsError', description: 'Errors of agents, social verification and registration.' }),
  launches: z
    .object({ error: z.object({ message: z.string() }) })
    .meta({ id: 'LaunchesError', description: 'Errors of launches, tokens and creator rewards.' }),
}

/** Decides the shape from the request line; a path of no family speaks like the launches. */
export function errorFamilyOf(method: string, rawPath: string): ErrorFamily {
  const path = readable(rawPath)
  if (isUnder(path, '/v1/agents') || isUnder(path, '/v1/social')) return 'agents'
  // Reading `/launches/register` is a look-up of a launch; writing to it is registration.
  if (isUnder(path, '/v1/launches/register') && !['GET', 'HEAD'].includes(method)) return 'agents'
  return 'launches'
}

export function errorBody(family: ErrorFamily, text: string): object {
  return family === 'agents' ? { success: false, error: text } : { error: { message: text } }
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}

/** Odd spellings of a path are not found, but still in the shape of the family they were meant for. */
function readable(rawPath: string): string {
  const path = rawPath.split('?', 1)[0] ?? ''
  return path
    .replace(/%[0-9a-f]{2}/gi, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replace(/\/{2,}/g, '/')
    .toLowerCase()
}
