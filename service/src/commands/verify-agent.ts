import type { Config } from '../config.ts'
import { findAgent, setVerified } from '../store/agents.ts'
import { assertAddress, parseArguments, usageError } from './arguments.ts'
import { auditedChange } from './audited-change.ts'
import { withStore } from './open-store.ts'

/** Sets or clears `verifiedAt` of an agent. No HTTP request can do this. */
export async function verifyAgent(args: string[], config: Config): Promise<void> {
  const { positionals, network, flags } = parseArguments(args, ['clear'])
  if (positionals.length > 1) throw usageError('verify-agent takes one address')
  const address = assertAddress(positionals[0], 'agent address')
  await withStore(config, async ({ database }) => {
    const isVerified = !flags.has('clear')
    const command = isVerified ? 'verify-agent' : 'verify-agent --clear'
    await auditedChange(database, { command, network, subject: address }, tx =>
      setVerified(tx, network, address, isVerified),
    )
    const { verifiedAt, row } = await findAgent(database, network, address)
    process.stdout.write(
      verifiedAt
        ? `${address} on ${network} has been verified since ${verifiedAt.toISOString()}\n`
        : `${address} on ${network} is not verified\n`,
    )
    if (verifiedAt && !row)
      process.stdout.write('The agent is not in the store yet; the first request for it will add it.\n')
  })
}
