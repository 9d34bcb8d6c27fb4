import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { findAgent, setVerified } from '../store/agents.ts'
import { assertAddress, readArguments } from './arguments.ts'
import { withStore } from './with-store.ts'

/** Sets `verifiedAt` of an agent, or clears it. Only operators can: no request does. */
export async function verifyAgent(args: string[], config: Config): Promise<void> {
  const { positionals, network, flags } = readArguments(args, ['clear'])
  if (positionals.length > 1) throw new OperatorError('verify-agent takes one address')
  const address = assertAddress(positionals[0], 'the address of an agent')
  await withStore(config, async database => {
    await setVerified(database, network, address, !flags.has('clear'))
    const { verifiedAt, row } = await findAgent(database, network, address)
    process.stdout.write(
      verifiedAt
        ? `${address} is verified on ${network} since ${verifiedAt.toISOString()}\n`
        : `${address} is not verified on ${network}\n`,
    )
    if (verifiedAt && !row)
      process.stdout.write('Nobody has asked for this agent yet: it shows as soon as somebody does.\n')
  })
}
