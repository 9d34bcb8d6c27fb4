import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findInstalled } from '../lib/find-installed.ts'
import type { CommandContext } from './command-context.ts'

/** Prints which Slipway this is, for a report of a problem. */
export async function showVersion({ output }: CommandContext): Promise<void> {
  const root = dirname(findInstalled('LICENSE'))
  const { version, gitHead } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
    /** Only in the package. */
    gitHead?: string
  }
  const facts = { version, commit: gitHead ?? (await readCommit(root)), node: process.version }
  output.json(facts)
  output.line(`Slipway  ${version}`)
  output.line(`commit   ${facts.commit ?? 'unknown'}`)
  output.line(`Node     ${process.version} (${process.platform} ${process.arch})`)
}

/** Of a checkout. The folder may be inside a repository that is not ours. */
async function readCommit(root: string): Promise<string | null> {
  if (!existsSync(join(root, '.git'))) return null
  try {
    return (await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim()
  } catch {
    return null
  }
}
