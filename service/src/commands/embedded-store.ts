import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { type CommandContext, confirm, UsageError } from './command-context.ts'

/**
 * Throws if it isn't clear which store a command is for. Without DATABASE_URL that is the embedded one, which must exist:
 * an operator who forgets the variable must not change a demo and believe that the deployment has changed.
 */
export async function assertStoreChosen(
  { config, flags, output, networks }: CommandContext,
  access: 'read' | 'change',
): Promise<void> {
  if (config.databaseUrl !== undefined) {
    if (flags.has('embedded'))
      throw new UsageError('--embedded and DATABASE_URL name different stores. Leave one of them out.')
    return
  }
  const embedded = describeEmbedded(config)
  if (!(await hasDatabase(config)))
    throw new OperatorError(
      `DATABASE_URL is not set, and there is no ${embedded}. Set DATABASE_URL or DATA_DIR to the value that the service has.`,
    )
  const [variable] = config.deploymentVariables
  if (access === 'change' && variable !== undefined && !flags.has('embedded')) {
    output.facts({ store: `${embedded}, not changed`, ...networks })
    throw new OperatorError(
      `${variable} is set, but DATABASE_URL is not. Set DATABASE_URL to the value that the service has, or add --embedded to change the ${embedded}.`,
    )
  }
}

/** Asks whether to change an embedded store that no running service uses. Throws unless the answer is yes. */
export async function assertChangeMeant({ config, flags, host }: CommandContext): Promise<void> {
  if (flags.has('embedded')) return
  const answer = await confirm(host, 'No running service uses this store. Change it?')
  if (answer) return
  if (answer === false) throw new OperatorError('Nothing was changed.')
  throw new OperatorError(
    `DATABASE_URL is not set, and no running service uses the ${describeEmbedded(config)}. Set DATABASE_URL to the value that the service has, or add --embedded to change the embedded store.`,
  )
}

export function describeEmbedded({ dataDir }: Config): string {
  const path = relative(process.cwd(), join(dataDir, 'db'))
  return `embedded store in ${path.startsWith('..') ? join(dataDir, 'db') : `./${path}`}`
}

export async function hasDatabase({ dataDir }: Config): Promise<boolean> {
  return stat(join(dataDir, 'db', 'PG_VERSION')).then(
    () => true,
    // Other failures, such as a folder of another user, are explained when the store is opened.
    ({ code }) => code !== 'ENOENT' && code !== 'ENOTDIR',
  )
}
