import { compilePath } from '../endpoint/parse-url.ts'

/** Knows which methods each path allows, to distinguish a wrong method from a wrong path. */
export interface AllowedMethods {
  /** Takes a route as Fastify spells it, such as `/v1/tokens/:mint`. */
  add(route: string, methods: readonly string[], reserved: readonly string[]): void
  /** Empty for an unknown path. */
  of(path: string): string[]
}

export function createAllowedMethods(): AllowedMethods {
  const routes: { pattern: RegExp; methods: readonly string[] }[] = []
  return {
    add(route, methods, reserved) {
      routes.push({ pattern: compilePath(route.replace(/:(\w+)/g, '{$1}'), reserved), methods })
    },
    of(path) {
      if (isOdd(path)) return []
      return [...new Set(routes.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : [])))]
    },
  }
}

/** Another spelling of a path: our own paths need no percent-encoding and have no empty parts. */
export const isOdd = (path: string) => path.includes('%') || (path.endsWith('/') && path !== '/')
