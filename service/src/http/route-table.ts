import { createPathTable } from '@slipway/schema/path-table'
import type { RouteOptions } from 'fastify'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { pathOf } from '../endpoint/parse-url.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint of the API that answers this route, if any. */
    endpoint?: Endpoint
    /** People open this route in a browser. */
    isPage?: boolean
  }
}

export interface Route {
  method: string
  /** As the log and the metrics name it: `/v1/tokens/:mint`. */
  name: string
  endpoint: Endpoint | undefined
}

/** Knows every URL that is served: the routes in this table, and no others. */
export interface RouteTable {
  add(route: Pick<RouteOptions, 'method' | 'url' | 'config'>): void
  find(method: string, url: string): { route: Route; params: Record<string, string> } | undefined
  /** The methods that the URL's path allows. None if the path is unknown. */
  methodsAt(url: string): string[]
  /** Whether the path begins like one that programs use, so that its errors are JSON even in a browser. */
  isForPrograms(url: string): boolean
}

/** The order in `Allow`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

export function createRouteTable(): RouteTable {
  const table = createPathTable<Route>()
  const programs = new Set<string>()
  const pages = new Set<string>()

  return {
    add({ method, url, config }) {
      const { endpoint, isPage = false } = config ?? {}
      for (const each of [method].flat()) table.add(url, { method: each, name: url, endpoint })
      const sections = isPage ? pages : programs
      sections.add(sectionOf(url))
    },
    find(method, url) {
      const path = pathOf(url)
      const found = table.find(path, route => route.method === method && !isReserved(route, path))
      return found && { route: found.value, params: found.params }
    },
    methodsAt(url) {
      const path = pathOf(url)
      const allowed = new Set<string>()
      table.find(path, route => {
        if (!isReserved(route, path)) allowed.add(route.method)
        return false
      })
      return METHODS.filter(method => allowed.has(method))
    },
    isForPrograms(url) {
      const path = url.slice(1)
      for (const section of programs) if (!pages.has(section) && path.startsWith(section)) return true
      return false
    },
  }
}

const isReserved = ({ endpoint }: Route, path: string) =>
  endpoint?.reserved?.includes(path.slice(path.lastIndexOf('/') + 1)) === true

/** The first part of a path. */
const sectionOf = (path: string) => path.split('/', 2)[1] ?? ''
