import { readFile } from 'node:fs/promises'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { validateCard } from '../agents/validate-card.ts'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { findAgent, removeAuthoredCard, saveAuthoredCard } from '../store/agents.ts'
import { assertAddress, parseArguments, usageError } from './arguments.ts'
import { auditedChange } from './audited-change.ts'
import { withStore } from './open-store.ts'
import { verifyCard } from './verify-card.ts'

const BYTES_MAX = 256 * 1024

/** Authored cards are stored and served byte for byte, instead of a card built from the registration document. */
export async function card(args: string[], config: Config): Promise<void> {
  const { positionals, network } = parseArguments(args)
  const [action, text, file, ...rest] = positionals
  if (!['put', 'remove', 'show', 'verify'].includes(action ?? '') || rest.length > 0)
    throw usageError('card needs one of put, show, remove, verify')
  const address = assertAddress(text, 'agent address')
  if (action !== 'put' && file !== undefined) throw usageError(`card ${action} takes one address and no file`)
  if (action === 'verify') return verifyCard(config, network, address)
  const body = action === 'put' ? await readCard(file) : undefined
  await withStore(config, async ({ database }) => {
    if (body) {
      await auditedChange(database, { command: 'card put', network, subject: address }, tx =>
        saveAuthoredCard(tx, network, address, body),
      )
      process.stdout.write(`Stored the card of ${address} on ${network} (${body.length} bytes)\n`)
    } else if (action === 'remove') {
      const change = { command: 'card remove', network, subject: address }
      const isRemoved = await auditedChange(database, change, tx => removeAuthoredCard(tx, network, address))
      if (!isRemoved) throw noCard(network, address)
      process.stdout.write(`Removed the card of ${address} on ${network}\n`)
    } else {
      const { authoredCard } = await findAgent(database, network, address)
      if (!authoredCard) throw noCard(network, address)
      process.stdout.write(authoredCard)
    }
  })
}

const noCard = (network: Network, address: Address) =>
  new OperatorError(`No card is stored for ${address} on ${network}.`)

/** The card is checked here because it is served exactly as it was stored. */
async function readCard(file: string | undefined): Promise<Buffer> {
  if (file === undefined) throw usageError('card put needs a file, or - for standard input')
  const body = await read(file)
  if (body.length > BYTES_MAX)
    throw new OperatorError(`The card has ${body.length} bytes. Shorten it to ${BYTES_MAX} or fewer.`)
  const faults = validateCard(body)
  if (faults.length > 0) throw new OperatorError(`The file is not a valid A2A card: ${faults.join('; ')}`)
  return body
}

async function read(file: string): Promise<Buffer> {
  if (file !== '-')
    return readFile(file).catch(error => {
      throw new OperatorError(`The file cannot be read: ${(error as Error).message}`)
    })
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks)
}
