import {
  type CreatedLaunch,
  type CreateLaunchRequest,
  type Network,
  type Slipway,
  SlipwayError,
} from '@slipway/client'
import { type Action, type BuiltAction, NotNowError } from '../../actions/action.ts'
import { describeExpiry, fetchBlockHeight, fetchStatuses } from '../../lib/rpc.ts'
import { removeStarted, type StartedLaunch, saveStarted } from './started-launches.tsx'

/** Two launches of one wallet are signed one after the other, in whatever tabs. */
export const createKey = (network: Network, wallet: string): string => `create-launch:${network}:${wallet}`

/**
 * Creates a launch, or continues one. Signed transactions are stored before they are sent, so that nothing is lost.
 */
export function createLaunchAction({
  slipway,
  rpcUrl,
  network,
  request,
  started: continued,
  verification,
  estimate,
  isDone,
  onStarted,
  onComplete,
  onInvalid,
}: {
  slipway: Slipway
  rpcUrl: string | undefined
  network: Network
  request: CreateLaunchRequest
  /** The launch to continue. */
  started?: StartedLaunch | undefined
  verification?: StartedLaunch['verification'] | undefined
  /** What the whole launch costs. */
  estimate?: BuiltAction['estimate']
  /** Whether another tab has begun the same launch. */
  isDone?(): boolean
  /** Called when transactions are signed, and as they are confirmed. */
  onStarted(started: StartedLaunch): void
  /** Called when the whole launch is on the chain. */
  onComplete(started: StartedLaunch): void
  onInvalid(error: SlipwayError): void
}): Action {
  let started = continued
  let created: CreatedLaunch | undefined

  /** The transactions that are left, or all of them if the chain knows nothing of the launch, and never will. */
  async function build(signal: AbortSignal): Promise<CreatedLaunch> {
    if (!started) return slipway.launches.create(request, { signal })
    try {
      return await slipway.launches.create({ ...request, genesisAccount: started.genesisAccount }, { signal })
    } catch (error) {
      const isMissing = error instanceof SlipwayError && error.code === 'GENESIS_NOT_FOUND'
      // After a confirmed transaction, the launch exists, whatever the service says.
      if (!isMissing || started.earlier + started.confirmed > 0) throw error
      if (!rpcUrl || !(await isLost(rpcUrl, started, signal)))
        throw new NotNowError(await explainUnknown(rpcUrl, started, signal))
      removeStarted(started.genesisAccount)
      started = undefined
      return slipway.launches.create(request, { signal })
    }
  }

  return {
    key: createKey(network, request.wallet),
    title: continued ? `Continue ${request.launch.name}` : `Create ${request.launch.name}`,
    network,
    inOrder: true,
    done: 'The launch is on the chain.',
    rest: 'Continue',
    resume: { text: `Continue ${request.launch.name}`, href: '/launches/new' },
    async build(signal) {
      created = await build(signal)
      const { transactions, blockhash } = created
      // The addresses of a continued launch are known, whatever the service says now.
      const { genesisAccount, mintAddress } = started ?? created
      if (started && transactions.length === 0) onComplete(started)
      return {
        transactions,
        blockhash,
        ...(estimate && !started && { estimate }),
        intent: {
          kind: 'create-launch',
          genesisAccount,
          mint: mintAddress,
          launch: request.launch,
          agent: request.agent,
        },
      }
    },
    onProgress({ signatures, confirmed, lastValidBlockHeight }) {
      if (!created) return
      const { genesisAccount, mintAddress } = started ?? created
      const isSameRound = started?.signatures[0] === signatures[0]
      started = {
        network,
        genesisAccount,
        mintAddress,
        request,
        signatures: [...signatures],
        lastValidBlockHeight,
        earlier: !started ? 0 : isSameRound ? started.earlier : started.earlier + started.confirmed,
        confirmed,
        ...(verification && { verification }),
      }
      saveStarted(started)
      onStarted(started)
    },
    isDone: () => !started && (isDone?.() ?? false),
    onConfirmed() {
      if (started) onComplete(started)
    },
    onInvalid,
  }
}

/** Whether the first transaction has failed, or was not executed in time. */
async function isLost(
  rpcUrl: string,
  { signatures, lastValidBlockHeight }: StartedLaunch,
  signal: AbortSignal,
): Promise<boolean> {
  // The height is read before the status: past the last valid height, an unknown transaction will never be known.
  const height = await fetchBlockHeight(rpcUrl, signal)
  const [status] = await fetchStatuses(rpcUrl, signatures.slice(0, 1), signal)
  return status ? status.err !== null && status.err !== undefined : height > lastValidBlockHeight
}

async function explainUnknown(
  rpcUrl: string | undefined,
  { lastValidBlockHeight }: StartedLaunch,
  signal: AbortSignal,
): Promise<string> {
  const expiry = rpcUrl && (await describeExpiry(rpcUrl, lastValidBlockHeight, signal))
  const when = expiry ? `, after ${expiry}` : ''
  return `The first transaction may still be executed. Try again when it has expired${when}.`
}
