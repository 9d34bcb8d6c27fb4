import { readFile } from 'node:fs/promises'
import { validateCard } from '../agents/validate-card.ts'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { findAgent, removeAuthoredCard, saveAuthoredCard } from '../store/agents.ts'
import { assertAddress, readArguments } from './arguments.ts'
import { withStore } from './with-store.ts'

const BYTES_MAX = 256 * 1024

/** Authored cards: stored and served byte for byte, in place of one made from the registration. */
export async function card(args: string[], config: Config): Promise<void> {
  const { positionals, network } = readArguments(args)
  const [action, text, file, ...rest] = positionals
  if (!['put', 'remove', 'show'].includes(action ?? '') || rest.length > 0)
    throw new OperatorError('card needs one of put, remove, show; try: slipway help')
  const address = assertAddress(text, 'the address of an agent')
  if (action !== 'put' && file !== undefined)
    throw new OperatorError(`card ${action} takes an address and no file`)
  const body = action === 'put' ? await readCard(file) : undefined
  await withStore(config, async database => {
    if (body) {
      await saveAuthoredCard(database, network, address, body)
      process.stdout.write(`The card of ${address} on ${network} is stored: ${body.length} bytes\n`)
    } else if (action === 'remove') {
      if (!(await removeAuthoredCard(database, network, address)))
        throw new OperatorError(`no authored card of ${address} is stored on ${network}`)
      process.stdout.write(`The authored card of ${address} on ${network} is gone\n`)
    } else {
      const { authoredCard } = await findAgent(database, network, address)
      if (!authoredCard) throw new OperatorError(`no authored card of ${address} is stored on ${network}`)
      process.stdout.write(authoredCard)
    }
  })
}

/** Reads and checks a card before it is stored: once it is, it is served as it is. */
async function readCard(file: string | undefined): Promise<Buffer> {
  if (file === undefined) throw new OperatorError('card put needs a file, or - for the standard input')
  const body = await read(file)
  if (body.length > BYTES_MAX)
    throw new OperatorError(`the card is ${body.length} bytes, more than ${BYTES_MAX}`)
  const faults = validateCard(body)
  if (faults.length > 0) throw new OperatorError(`this is not an A2A card: ${faults.join('; ')}`)
  return body
}

async function read(file: string): Promise<Buffer> {
  if (file !== '-')
    return readFile(file).catch(error => {
      throw new OperatorError(`the file cannot be read: ${(error as Error).message}`)
    })
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks)
}
