import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { removeDocument } from '../store/documents.ts'
import { parseArguments, usageError } from './arguments.ts'
import { auditedChange } from './audited-change.ts'
import { withStore } from './open-store.ts'

/** Removes hosted documents. */
export async function document(args: string[], config: Config): Promise<void> {
  const { positionals, network } = parseArguments(args)
  const [action, text, ...rest] = positionals
  if (action !== 'remove' || rest.length > 0) throw usageError('document needs "remove <sha256>"')
  // Operators often have the URL or the file name.
  const sha256 = /^(?:.*\/)?([\da-f]{64})(?:\.json)?$/.exec(text ?? '')?.[1]
  if (sha256 === undefined)
    throw usageError('document remove needs the SHA-256 of a document in hexadecimal, or its URL')
  await withStore(config, async ({ database }) => {
    const change = { command: 'document remove', network, subject: sha256 }
    if (!(await auditedChange(database, change, tx => removeDocument(tx, sha256))))
      throw new OperatorError(`No document with the hash ${sha256} is hosted here.`)
    process.stdout.write(`Removed the document ${sha256}\n`)
  })
}
