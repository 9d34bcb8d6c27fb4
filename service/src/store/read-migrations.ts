import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findInstalled } from '../lib/find-installed.ts'

export interface Migration {
  tag: string
  /** Identifies the migration in the database. */
  when: number
  hash: string
  steps: Step[]
}

/** A part of a migration that either completes or is repeated at the next start. */
export type Step =
  | { kind: 'transaction'; statements: string[] }
  /** Built without blocking writes, which is not possible in a transaction. */
  | { kind: 'index'; table: string; index: string; statement: string }
  /** Run for a limited number of rows at a time, which it reads from `batch`. Each batch is its own transaction. */
  | { kind: 'batches'; table: string; key: string[]; statement: string }

/** The migrations that this version knows, oldest first. */
export function readMigrations(): Migration[] {
  const journal = findInstalled('migrations/meta/_journal.json')
  const { entries } = JSON.parse(readFileSync(journal, 'utf8')) as {
    entries: { when: number; tag: string }[]
  }
  return entries.map(({ tag, when }) => {
    const sql = readFileSync(join(dirname(journal), '..', `${tag}.sql`), 'utf8')
    return { tag, when, hash: createHash('sha256').update(sql).digest('hex'), steps: parseSteps(sql) }
  })
}

/**
 * A migration is one transaction, except where its text says otherwise: `--> new-transaction` commits first, `-->
 * batches of <table> by <key>` marks a statement that is run in batches, and an index on a table that the migration
 * has not created is built concurrently.
 */
export function parseSteps(sql: string): Step[] {
  const steps: Step[] = []
  const created = new Set<string>()
  let transaction: string[] | undefined
  const append = (statement: string) => {
    if (!transaction) {
      transaction = []
      steps.push({ kind: 'transaction', statements: transaction })
    }
    transaction.push(statement)
  }
  for (const statement of sql.split('--> statement-breakpoint')) {
    const plain = statement.replace(/^\s*--.*$/gm, '').trim()
    const table = /^CREATE (?:UNLOGGED )?TABLE "?(\w+)"?/.exec(plain)?.[1]
    if (table) created.add(table)
    const marker = /^-->.*$/m.exec(statement)?.[0]
    const batches = /^--> batches of (\w+) by ([\w, ]+)$/.exec(marker ?? '')
    const index = /^CREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?"?(\w+)"? ON "?(\w+)"?/.exec(plain)
    if (marker === '--> new-transaction') transaction = undefined
    else if (marker && !batches) throw new Error(`Unknown marker: ${marker}`)
    if (batches) {
      const [, of = '', by = ''] = batches
      steps.push({ kind: 'batches', table: of, key: by.split(', '), statement: plain.replace(/;$/, '') })
      transaction = undefined
    } else if (index && !created.has(index[2] as string)) {
      const [, name = '', on = ''] = index
      steps.push({ kind: 'index', table: on, index: name, statement: plain })
      transaction = undefined
    } else append(statement)
  }
  return steps
}
