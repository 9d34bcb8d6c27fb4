import { DEMO_SERVER_OFFSET } from '@slipway/local-chain/ports'
import { ServiceError } from '@slipway/schema/errors'
import { assertSocialSecret, REAL_API_URL } from '../../boot/social-settings.ts'
import { type Config, ENVIRONMENT_VARIABLES, embedsChains } from '../../config.ts'
import { printable } from '../../lib/terminal.ts'
import { OperatorError } from '../../operator-error.ts'
import { createSocialNetwork } from '../../social/social-network.ts'
import type { CommandContext } from '../command-context.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { checkChains } from './check-chains.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk, checkOpenFiles, checkPorts } from './check-machine.ts'

/** Checks everything that a node depends on, and says what to do about each failure. */
export async function doctor(context: CommandContext): Promise<void> {
  const checks = await runChecks(context)
  report(context, checks)
  const failed = checks.filter(({ status }) => status === 'failed')
  if (failed.length > 0)
    throw new OperatorError(
      `${failed.length} of ${checks.length} checks failed: ${failed.map(({ name }) => name).join(', ')}.`,
    )
}

async function runChecks(context: CommandContext): Promise<Check[]> {
  const configuration = checkConfiguration(context)
  if (configuration.status === 'failed') return [configuration, checkOpenFiles()]
  const { config } = context
  const database = await checkDatabase(config)
  const nodes = database.report?.servingNodes
  const isServed = (nodes ?? 0) > 0
  const [chains, social, ports, disk] = await Promise.all([
    checkChains(config, { genesisHashes: database.report?.genesisHashes ?? new Map(), isServed }),
    checkSocial(config, isServed),
    checkPorts(config, nodes === undefined ? undefined : isServed),
    checkDisk(config),
  ])
  return [configuration, ...database.checks, ...chains, social, checkOpenFiles(), ...ports, disk]
}

/** What start-up checks before it starts anything. */
function checkConfiguration(context: CommandContext): Check {
  const name = 'configuration'
  try {
    const { config, host } = context
    if (!embedsChains(config)) assertSocialSecret(config)
    const set = ENVIRONMENT_VARIABLES.filter(variable => host.env[variable]?.trim())
    return ok(name, `valid; set: ${set.join(', ') || 'nothing'}; embedded: ${listEmbedded(config)}`)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return fail(
      name,
      'bad-input',
      error.message,
      'Correct the variable: docs/configuration.md lists them all.',
    )
  }
}

function listEmbedded(config: Config): string {
  const parts = [
    ...(config.databaseUrl === undefined ? ['PostgreSQL'] : []),
    ...(embedsChains(config) ? ['chains'] : []),
  ]
  return parts.join(', ') || 'nothing'
}

/** Sends a token that no account has: a network that works refuses it. */
async function checkSocial(config: Config, isServed: boolean): Promise<Check> {
  const { apiUrl } = config.social
  const name = 'social network'
  const isEmbedded = apiUrl === undefined && embedsChains(config)
  if (isEmbedded) {
    const port = config.localChain.port + DEMO_SERVER_OFFSET
    return ok(
      name,
      `embedded stand-in${isServed ? ` on port ${port}` : ', not running: it starts with the service'}`,
    )
  }
  const { host } = new URL(apiUrl ?? REAL_API_URL)
  const network = createSocialNetwork({
    apiUrl: apiUrl ?? REAL_API_URL,
    observer: { onAnswer() {}, onNotAsked() {} },
  })
  try {
    await network.fetchUsername('slipway-doctor')
    return ok(name, `${host} answers`)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'SOCIAL_REJECTED') return ok(name, `${host} answers`)
    const reason = (error.cause as Error).message.replace(/^social network: /, '')
    const kind = reason.includes('in time')
      ? 'slow'
      : reason.includes('connection')
        ? 'unreachable'
        : 'refused'
    const remedy = 'Check the network and SOCIAL_API_URL. Only verifying social accounts needs it.'
    return warn(name, kind, `${host}: ${reason}`, remedy)
  } finally {
    await network.close()
  }
}

const STATUS_WORDS = { ok: 'ok', warning: 'warning', failed: 'FAILED' } as const
const STATUS_COLORS = { ok: 'green', warning: 'yellow', failed: 'red' } as const

function report({ output }: CommandContext, checks: readonly Check[]): void {
  const width = Math.max(...checks.map(({ name }) => name.length))
  for (const { name, status, problem, message, remedy } of checks) {
    const word = output.style(STATUS_COLORS[status], STATUS_WORDS[status].padEnd(7))
    const reason = problem === null ? message : `${problem}: ${message}. ${remedy}`
    output.line(`${word}  ${printable(name).padEnd(width)}  ${printable(reason)}`)
  }
  output.json({ checks })
}
