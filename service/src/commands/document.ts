import { DEFAULT_NETWORK } from '@slipway/schema/network'
import { OperatorError } from '../operator-error.ts'
import { removeDocument } from '../store/hosted-documents.ts'
import { auditedChange } from './audited-change.ts'
import { type CommandContext, UsageError } from './command-context.ts'
import { withStore } from './open-store.ts'

/** Removes a hosted document, on both networks. */
export async function removeHostedDocument(context: CommandContext): Promise<void> {
  // Operators often have the URL or the file name.
  const sha256 = /^(?:.*\/)?([\da-f]{64})(?:\.json)?$/.exec(context.operands[0] ?? '')?.[1]
  if (sha256 === undefined)
    throw new UsageError('document remove needs the SHA-256 of a document in hexadecimal, or its URL.')
  await withStore(context, 'change', async ({ database }) => {
    const change = { command: 'document remove', network: DEFAULT_NETWORK, subject: sha256 }
    if (!(await auditedChange(database, change, tx => removeDocument(tx, sha256))))
      throw new OperatorError(`No document with the hash ${sha256} is hosted here.`)
    context.output.line(`Removed the document ${sha256}`)
    context.output.json({ sha256, removed: true })
  })
}
