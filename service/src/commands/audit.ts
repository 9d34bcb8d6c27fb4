import type { Config } from '../config.ts'
import { readAudit } from '../store/audit.ts'
import { printable, usageError } from './arguments.ts'
import { withStore } from './open-store.ts'

/** Prints every change that was made on the command line, the oldest first. */
export async function audit(args: string[], config: Config): Promise<void> {
  if (args.length > 0) throw usageError('audit takes no arguments')
  await withStore(config, async ({ database }) => {
    let isEmpty = true
    for await (const entries of readAudit(database)) {
      isEmpty = false
      for (const { at, operator, command, network, subject } of entries)
        process.stdout.write(
          `${[at.toISOString(), operator, command, network, subject].map(printable).join('  ')}\n`,
        )
    }
    if (isEmpty) process.stdout.write('No changes have been made on the command line.\n')
  })
}
