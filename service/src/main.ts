import { type Config, parseConfig } from './config.ts'
import { OperatorError } from './operator-error.ts'

const USAGE = `Usage: slipway <command>

  serve                                     run the service (same as npm start)
  migrate                                   update the database to this version
  index-chain                               read a chain into the store without serving
      --from-scratch                        read everything again
      --accept-removals                     remove missing accounts, however many there are
  cluster show                              show the genesis hash of each network
  cluster accept <old hash> <new hash>      move a network to another cluster and delete its data
      --keep-data                           change only the recorded hash

  spotlight list                            list the launches in the spotlight
  spotlight add|remove <genesis address> …  add launches to the spotlight, or remove them
  launch hide|show <genesis address> …      hide launches from all responses, or show them again
  launch refresh <genesis address>          correct a launch from the chain and its document
  launch inspect <genesis address>          compare what store, chain and document say about a launch
  verify-agent <address>                    mark an agent as verified (--clear undoes it)
  card put <address> <file>                 host a card for an agent, byte for byte (- reads standard input)
  card show|remove <address>                print or remove a hosted card
  card verify <address>                     check the signature of a served card as a client does
  agent hide|show <address> …               hide agents from all responses, or show them again
  agent spotlight list                      list the agents in the spotlight
  agent spotlight add|remove <address> …    add agents to the spotlight, or remove them
  agent inspect <address>                   compare what store, chain and document say about an agent
  document remove <sha256>                  remove a hosted document and refuse it from now on
  audit                                     print every change that was made with these commands

  --network chain-mainnet|chain-devnet      network that the command applies to (default: chain-mainnet)

Slipway is configured with environment variables: see docs/configuration.md.
`

const COMMANDS: Record<string, (args: string[], config: Config) => Promise<void>> = {
  serve: async (args, config) => (await import('./commands/serve.ts')).serve(args, config),
  'index-chain': async (args, config) => (await import('./commands/index-chain.ts')).indexChain(args, config),
  cluster: async (args, config) => (await import('./commands/cluster.ts')).cluster(args, config),
  migrate: async (args, config) => (await import('./commands/migrate.ts')).migrateCommand(args, config),
  agent: async (args, config) => (await import('./commands/agent.ts')).agent(args, config),
  audit: async (args, config) => (await import('./commands/audit.ts')).audit(args, config),
  card: async (args, config) => (await import('./commands/card.ts')).card(args, config),
  document: async (args, config) => (await import('./commands/document.ts')).document(args, config),
  launch: async (args, config) => (await import('./commands/launch.ts')).launch(args, config),
  'verify-agent': async (args, config) =>
    (await import('./commands/verify-agent.ts')).verifyAgent(args, config),
  spotlight: async (args, config) => (await import('./commands/spotlight.ts')).spotlight(args, config),
}

export async function main([name = 'serve', ...args]: string[]): Promise<void> {
  try {
    if (name === 'help' || [name, ...args].some(arg => arg === '--help' || arg === '-h')) {
      process.stdout.write(USAGE)
      return
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!command)
      throw new OperatorError(`Unknown command "${name}". Run "slipway help" to see the commands.`)
    await command(args, parseConfig(process.env))
  } catch (error) {
    fail(error)
  }
}

/** A problem that the operator can fix is reported in one line; a bug is shown with its stack trace. */
function fail(error: unknown): void {
  const text = error instanceof OperatorError ? error.message : error instanceof Error ? error.stack : error
  process.stderr.write(`slipway: ${text}\n`)
  process.exitCode = 1
}
