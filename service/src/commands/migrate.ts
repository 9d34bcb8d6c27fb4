import type { Config } from '../config.ts'
import { withStore } from './with-store.ts'

/** Opening the store brings its tables to this version; there is nothing else to do. */
export async function migrateCommand(_args: string[], config: Config): Promise<void> {
  await withStore(config, async () => {
    process.stdout.write("The database's tables are of this version.\n")
  })
}
