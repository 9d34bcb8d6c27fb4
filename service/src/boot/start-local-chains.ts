import { createServer } from 'node:http'
import type { Worker } from 'node:worker_threads'
import { PORT_OFFSETS } from '@slipway/local-chain/ports'
import { listenOnLoopback, stopServer } from '@slipway/local-chain/rpc/http-server'
import type { Config } from '../config.ts'
import { buildExampleDocument, type ExampleDocument } from '../demo/host-example-document.ts'
import { OperatorError } from '../operator-error.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { Log } from '../telemetry/log.ts'
import type { ChainsMessage, ChainsSettings, StartedChains } from './chains-thread.ts'
import type { ChainsThread } from './load-chains.ts'

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

/**
 * Starts the embedded chains in their thread, which then builds their demo. Until that is done, they answer slowly. A
 * node with an RPC of its own never loads them.
 */
export async function startLocalChains(
  { dataDir, publicUrl, localChain: { port, activity } }: Config,
  { chainsThread, log, shutdown }: { chainsThread: ChainsThread; log: Log; shutdown: ShutdownList },
): Promise<{ chains: LocalChains; built: Promise<unknown> }> {
  const allowOrigins = [new URL(publicUrl).origin, EXPLORER_ORIGIN]
  const settings: ChainsSettings = { dataDir, port, activity, allowOrigins }
  const { thread, ended } = chainsThread
  thread.ref()
  thread.on('message', (message: ChainsMessage) => {
    if (message.kind !== 'log') return
    const { error, ...fields } = message.fields
    log[message.level]({ ...fields, ...(error !== undefined && { err: error }) }, message.message)
  })
  const built = Promise.race([receive(thread, 'built'), ended])
  // A failure is reported where this is awaited. Until then it must not end the process.
  built.catch(() => {})
  thread.postMessage(settings)
  const { chains: started } = await Promise.race([receive(thread, 'started'), ended])
  // A fault in the thread ends the process, as one elsewhere does.
  thread.on('error', error => {
    throw error
  })
  shutdown.add(
    'local chains',
    async () => {
      thread.postMessage('close')
      await ended.catch(() => {})
    },
    STOP_MS,
  )
  const { agent, exampleAddresses } = started
  const exampleDocument = agent && buildExampleDocument('chain-mainnet', agent)
  return {
    chains: {
      ...started,
      exampleAddresses: { ...exampleAddresses, ...(exampleDocument && { document: exampleDocument.sha256 }) },
      exampleDocument,
    },
    built,
  }
}

type MessageOf<Kind> = Extract<ChainsMessage, { kind: Kind }>

/** The first message of this kind from the thread. Rejects if the thread reports a failure before. */
function receive<Kind extends ChainsMessage['kind']>(thread: Worker, kind: Kind): Promise<MessageOf<Kind>> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: ChainsMessage) => {
      if (message.kind === kind) resolve(message as MessageOf<Kind>)
      if (message.kind !== 'failed') return
      const { error, advice } = message
      reject(advice === undefined ? error : new OperatorError(advice, { cause: error }))
    })
  })
}
