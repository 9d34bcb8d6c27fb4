import type { Endpoint } from '../endpoint/endpoint.ts'
import { routeOf } from '../endpoint/parse-url.ts'
import { createRouteTable, type RouteTable } from '../http/route-table.ts'

/** The routes of these endpoints, without a server. */
export function routesOf(...endpoints: Endpoint[]): RouteTable {
  const routes = createRouteTable()
  // A server adds HEAD to each GET.
  for (const endpoint of endpoints)
    routes.add({
      method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
      url: routeOf(endpoint.path),
      config: { endpoint },
    })
  return routes
}
