import { createServer } from 'node:http'
import type { Worker } from 'node:worker_threads'
import { PORT_OFFSETS } from '@slipway/local-chain/ports'
import { listenOnLoopback, stopServer } from '@slipway/local-chain/rpc/listen'
import type { Config } from '../config.ts'
import { buildExampleDocument, type ExampleDocument } from '../demo/host-example-document.ts'
import { OperatorError } from '../operator-error.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { Log } from '../telemetry/log.ts'
import type { ChainsMessage, ChainsSettings, StartedChains } from './chains-thread.ts'

/** All that the service knows about the embedded chains: URLs, as for any other node, and what the start-up screen shows. */
export interface LocalChains extends StartedChains {
  exampleDocument: ExampleDocument | undefined
}

const STOP_MS = 1_000
/** Pages link to it. It runs in the browser, and reads the chains from there. */
const EXPLORER_ORIGIN = 'https://explorer.solana.com'

/** Throws if a port of the embedded chains is in use, before anything is started. */
export async function assertLocalPortsFree({
  port: servicePort,
  localChain: { port },
}: Config): Promise<void> {
  if (PORT_OFFSETS.includes(servicePort - port))
    throw new OperatorError(
      `PORT ${servicePort} is also a port of the embedded chains. Set PORT or LOCAL_CHAIN_PORT to another port.`,
    )
  for (const offset of PORT_OFFSETS) {
    const server = createServer()
    await listenOnLoopback(server, port + offset).catch(error => {
      throw new OperatorError((error as Error).message, { cause: error })
    })
    await stopServer(server)
  }
}

/** Starts the embedded chains in their thread. A node with an RPC of its own never loads them. */
export async function startLocalChains(
  { dataDir, publicUrl, localChain: { port, activity } }: Config,
  { thread, log, shutdown }: { thread: Worker; log: Log; shutdown: ShutdownList },
): Promise<LocalChains> {
  const allowOrigins = [new URL(publicUrl).origin, EXPLORER_ORIGIN]
  const settings: ChainsSettings = { dataDir, port, activity, allowOrigins }
  thread.ref()
  const ended = new Promise(resolve => thread.once('exit', resolve))
  const started = await new Promise<StartedChains>((resolve, reject) => {
    thread.on('error', reject)
    thread.on('exit', () => reject(new Error('the thread of the embedded chains has ended')))
    thread.on('message', (message: ChainsMessage) => {
      if (message.kind === 'started') resolve(message.chains)
      else if (message.kind === 'log') {
        const { error, ...fields } = message.fields
        log[message.level]({ ...fields, ...(error !== undefined && { err: error }) }, message.message)
      } else {
        const { error, advice } = message
        reject(advice === undefined ? error : new OperatorError(advice, { cause: error }))
      }
    })
    thread.postMessage(settings)
  })
  // A fault in the thread ends the process, as one elsewhere does.
  thread.on('error', error => {
    throw error
  })
  shutdown.add(
    'local chains',
    async () => {
      thread.postMessage('close')
      await ended
    },
    STOP_MS,
  )
  const { agent, exampleAddresses } = started
  const exampleDocument = agent && buildExampleDocument('chain-mainnet', agent)
  return {
    ...started,
    exampleAddresses: { ...exampleAddresses, ...(exampleDocument && { document: exampleDocument.sha256 }) },
    exampleDocument,
  }
}
