import type { Config } from '../config.ts'
import { usageError } from './arguments.ts'
import { withStore } from './open-store.ts'

/** Opening the store migrates it, so there is nothing else to do. */
export async function migrateCommand(args: string[], config: Config): Promise<void> {
  if (args.length > 0) throw usageError('migrate takes no arguments')
  await withStore(config, async () => {
    process.stdout.write('The database is up to date.\n')
  })
}
