import { type RefreshOutcome, refreshLaunch } from '../launches/registration/refresh-launch.ts'
import { OperatorError } from '../operator-error.ts'
import { findLaunch } from '../store/read-launches.ts'
import { auditedChange } from './audited-change.ts'
import { type CommandContext, parseAddress } from './command-context.ts'
import { withStore } from './open-store.ts'
import { withChain, withDocuments } from './with-chain.ts'

const OUTCOMES: Record<RefreshOutcome, string> = {
  corrected: 'now matches the chain and its document',
  'corrected-without-document':
    'now matches the chain. Its document could not be fetched, so its image and description stay as they were.',
  'newer-is-stored': 'was not changed, because the store has a newer state than the RPC. Try again later.',
  'not-on-chain':
    'was not changed, because the chain has no launch with a named token there. Hide it if it is gone.',
}

const isCorrected = (outcome: RefreshOutcome) => outcome.startsWith('corrected')

/** Corrects a launch from the chain and its document. */
export async function refreshStoredLaunch(context: CommandContext): Promise<void> {
  const { config, network, output, operands } = context
  const address = parseAddress(operands[0], 'genesis address')
  await withStore(context, 'change', async ({ database }) => {
    const record = await findLaunch(database, network, address)
    if (!record) throw new OperatorError(`No launch is registered on ${network} at ${address}.`)
    const outcome = await withChain(context, database, chain =>
      withDocuments(config, database, documents =>
        auditedChange(
          database,
          { command: 'launch refresh', network, subject: address },
          tx => refreshLaunch({ database: tx, chain, documents, gateways: config.metadata }, record),
          isCorrected,
        ),
      ),
    )
    output.json({ address, outcome })
    const text = `${address} on ${network} ${OUTCOMES[outcome]}`
    if (!isCorrected(outcome)) throw new OperatorError(text)
    output.line(text)
  })
}
