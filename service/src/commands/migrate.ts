import type { CommandContext } from './command-context.ts'
import { withStore } from './open-store.ts'

/** Opening the store migrates it, so there is nothing else to do. */
export async function migrateCommand(context: CommandContext): Promise<void> {
  const { output } = context
  await withStore(context, 'change', async ({ migrations }) => {
    output.json({ migrations })
    const applied = `Applied ${migrations} migration${migrations === 1 ? '' : 's'}. `
    output.line(`${migrations > 0 ? applied : ''}The database is up to date.`)
  })
}
