import { readFile } from 'node:fs/promises'
import { validateCard } from '../agents/validate-card.ts'
import { OperatorError } from '../operator-error.ts'
import { removeAuthoredCard, saveAuthoredCard } from '../store/agents.ts'
import { auditedChange } from './audited-change.ts'
import { type CommandContext, type Host, parseAddress } from './command-context.ts'
import { withStore } from './open-store.ts'

const BYTES_MAX = 256 * 1024

/** Stores a card that is served byte for byte, instead of a card built from the registration document. */
export async function putCard(context: CommandContext): Promise<void> {
  const { network, output, operands, host } = context
  const address = parseAddress(operands[0], 'agent address')
  const body = await readCard(operands[1] as string, host)
  await withStore(context, 'change', async ({ database }) => {
    await auditedChange(database, { command: 'card put', network, subject: address }, tx =>
      saveAuthoredCard(tx, network, address, body),
    )
    output.line(`Stored the card of ${address} on ${network} (${body.length} bytes)`)
    output.json({ address, bytes: body.length })
  })
}

export async function removeCard(context: CommandContext): Promise<void> {
  const { network, output, operands } = context
  const address = parseAddress(operands[0], 'agent address')
  await withStore(context, 'change', async ({ database }) => {
    const change = { command: 'card remove', network, subject: address }
    if (!(await auditedChange(database, change, tx => removeAuthoredCard(tx, network, address))))
      throw new OperatorError(`No card is stored for ${address} on ${network}.`)
    output.line(`Removed the card of ${address} on ${network}`)
    output.json({ address, removed: true })
  })
}

/** The card is checked here because it is served exactly as it was stored. */
async function readCard(file: string, host: Host): Promise<Buffer> {
  const body = await read(file, host)
  if (body.length > BYTES_MAX)
    throw new OperatorError(`The card has ${body.length} bytes. Shorten it to ${BYTES_MAX} or fewer.`)
  const faults = validateCard(body)
  if (faults.length > 0) throw new OperatorError(`The file is not a valid A2A card: ${faults.join('; ')}`)
  return body
}

async function read(file: string, { stdin }: Host): Promise<Buffer> {
  if (file !== '-')
    return readFile(file).catch(error => {
      throw new OperatorError(`The file cannot be read: ${(error as Error).message}`)
    })
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
