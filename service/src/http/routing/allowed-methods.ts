import { compilePath } from '../../endpoint/parse-url.ts'

/** Knows which methods each path allows, to distinguish a wrong method from a wrong path. */
export function createAllowedMethods() {
  const routes: { pattern: RegExp; methods: readonly string[] }[] = []
  return {
    /** Takes a route as Fastify spells it, such as `/v1/tokens/:mint`. */
    add(route: string, methods: readonly string[], reserved: readonly string[]) {
      routes.push({ pattern: compilePath(route.replace(/:(\w+)/g, '{$1}'), reserved), methods })
    },
    /** Empty for an unknown path. */
    of(path: string): string[] {
      return [...new Set(routes.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : [])))]
    },
  }
}
