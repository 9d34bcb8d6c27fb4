import type { Database } from '@slipway/service/store/database'
import { type SQL, sql } from 'drizzle-orm'

interface PlanNode {
  'Node Type': string
  Plans?: PlanNode[]
}

/** The nodes of a query's plan, outermost first; its scans are counted. */
export async function describePlan(database: Database, query: SQL): Promise<string> {
  const { rows } = await database.run('bench.explain', db =>
    db.execute<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(sql`EXPLAIN (FORMAT JSON) ${query}`),
  )
  const seen: string[] = []
  const visit = (node: PlanNode) => {
    seen.push(node['Node Type'])
    for (const child of node.Plans ?? []) visit(child)
  }
  visit((rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan)
  const scans = seen.filter(name => name.endsWith('Scan') && name !== 'Subquery Scan')
  const others = seen.filter(name => !name.endsWith('Scan') && name !== 'Limit')
  return [...others, `${scans.length} × ${[...new Set(scans)].join(', ')}`].join(' of ')
}
