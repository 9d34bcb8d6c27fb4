import { type Config, readConfig } from './config.ts'
import { OperatorError } from './operator-error.ts'

const USAGE = `slipway <command>

  serve                                        run the service (what npm start does)
  index-chain [--from-scratch]                 read a chain into the store: all of it, or what has changed
      --accept-removals                        remove accounts that the chain lacks, however many there are
      --network chain-mainnet|chain-devnet     which chain (chain-mainnet without it)
  cluster show                                 show the genesis hash that each network is tied to
  cluster accept <old hash> <new hash>         tie a network to another cluster and delete all that is stored of it
  migrate                                      bring the database's tables to this version
  spotlight list                               show the launches in the spotlight
  spotlight add|remove <genesis address> …     put launches into the spotlight, or take them out
  launch hide|show <genesis address> …         withdraw launches from everything that is shown, or show them again
  launch refresh <genesis address>             read a launch anew from the chain and its document, and correct it
  launch inspect <genesis address>             what store, chain and document say of a launch, side by side
  verify-agent <address>                       say that an agent was verified; --clear takes it back
  card put <address> <file>                    host a card that somebody wrote, byte for byte; - reads the input
  card remove|show <address>                   take such a card away, or print it
  agent inspect <address>                      what chain, store and document say of an agent, side by side

  --network chain-mainnet|chain-devnet         the network that is meant (chain-mainnet without it)

Configuration comes from the environment: see the table in README.md.
`

const COMMANDS: Record<string, (args: string[], config: Config) => Promise<void>> = {
  serve: async (args, config) => (await import('./commands/serve.ts')).serve(args, config),
  'index-chain': async (args, config) => (await import('./commands/index-chain.ts')).indexChain(args, config),
  cluster: async (args, config) => (await import('./commands/cluster.ts')).cluster(args, config),
  migrate: async (args, config) => (await import('./commands/migrate.ts')).migrateCommand(args, config),
  agent: async (args, config) => (await import('./commands/agent.ts')).agent(args, config),
  card: async (args, config) => (await import('./commands/card.ts')).card(args, config),
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
    if (!command) throw new OperatorError(`unknown command "${name}"; try: slipway help`)
    await command(args, readConfig(process.env))
  } catch (error) {
    fail(error)
  }
}

/** One line for what the operator can mend; the whole story for what only we can. */
function fail(error: unknown): void {
  const text = error instanceof OperatorError ? error.message : error instanceof Error ? error.stack : error
  process.stderr.write(`slipway: ${text}\n`)
  process.exitCode = 1
}
