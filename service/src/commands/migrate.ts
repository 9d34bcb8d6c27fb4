import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { withStore } from './with-store.ts'

/** Opening the store brings its tables to this version; there is nothing else to do. */
export async function migrateCommand(args: string[], config: Config): Promise<void> {
  if (args.length > 0)
    throw new OperatorError('migrate takes no arguments: it is configured by the environment')
  await withStore(config, async () => {
    process.stdout.write("The database's tables are of this version.\n")
  })
}
