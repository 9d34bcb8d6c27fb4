import { join } from 'node:path'
import type { Address } from '@solana/kit'
import type { ChainConditions } from './conditions.ts'
import { type Chain, createChain } from './ledger/create-chain.ts'
import { createFaucet } from './ledger/faucet.ts'
import { WEB_SOCKET_OFFSET } from './ports.ts'
import { agentTools } from './programs/agent-tools/agent-tools.ts'
import { core } from './programs/core/core.ts'
import { genesis } from './programs/genesis/genesis.ts'
import { identity } from './programs/identity/identity.ts'
import { loadPrograms } from './programs/load-programs.ts'
import { raydiumPrograms } from './programs/raydium/raydium.ts'
import { createHttpServer, listenOnLoopback, stopServer } from './rpc/http-server.ts'
import { methods } from './rpc/methods.ts'
import type { MethodName } from './rpc/params.ts'
import { parseParams } from './rpc/params.ts'
import { createSubscriptionHub } from './rpc/subscriptions.ts'
import { createWsServer } from './rpc/ws-server.ts'
import { lockDirectory } from './storage/lock.ts'

export type LocalChainOptions = {
  /** Name of the chain's folder in `dataDir/chain`. */
  readonly network: string
  readonly dataDir: string
  /** 0 picks any free port. */
  readonly port: number
  /** Defaults to `port` + 1; 0 picks any free port. */
  readonly wsPort?: number
  readonly log?: Log
  /** Origins, besides loopback ones, whose pages may call the chain. */
  readonly allowOrigins?: readonly string[]
  /** For tests: other conditions, a clock that can be moved, a smaller journal, a faster heartbeat. */
  readonly conditions?: ChainConditions
  readonly now?: () => number
  readonly journalBytesMax?: number
  readonly pingMs?: number
}

export type Log = {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export type LocalChain = {
  readonly network: string
  readonly rpcUrl: string
  readonly wsUrl: string
  /** Programs that run from their real binaries; the others are stand-ins. */
  readonly realPrograms: readonly Address[]
  /** The chain itself, for code in the same process such as the demo world and its market. */
  readonly chain: Chain
  airdrop(to: Address, lamports: bigint): void
  /** Number of subscriptions over all connections. */
  subscriptions(): number
  close(): Promise<void>
}

const STAND_INS = [core, identity, agentTools, genesis, ...raydiumPrograms]

const silent: Log = { info: () => {}, error: () => {} }

export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  const { network, dataDir, log = silent, allowOrigins = [] } = options
  const onError = (error: unknown) => log.error({ network, error }, 'local chain: unexpected error')
  const directory = join(dataDir, 'chain', network)
  const unlock = await lockDirectory(directory)
  const closers: (() => unknown)[] = [unlock]
  const closeAll = async () => {
    for (const step of closers.splice(0).reverse()) await step()
  }
  try {
    const programs = loadPrograms(join(dataDir, 'programs'))
    const chain = createChain({
      directory,
      programs,
      standIns: STAND_INS.filter(({ address }) => !programs.has(address)),
      onError: onError,
      ...(options.conditions && { conditions: options.conditions }),
      ...(options.now && { now: options.now }),
      ...(options.journalBytesMax !== undefined && { journalBytesMax: options.journalBytesMax }),
    })
    closers.push(() => chain.close())
    const faucet = createFaucet(chain)
    const hub = createSubscriptionHub(chain)
    closers.push(() => hub.close())

    const http = createHttpServer({
      allowOrigins,
      onError,
      handle(method, params) {
        const found = methods.get(method)
        return found && { result: found({ chain, faucet }, parseParams(method as MethodName, params)) }
      },
    })
    const port = await listenOnLoopback(http, options.port)
    closers.push(() => stopServer(http))

    const ws = createWsServer({
      hub,
      allowOrigins,
      onError,
      ...(options.pingMs !== undefined && { pingMs: options.pingMs }),
    })
    const wsPort = await listenOnLoopback(
      ws.server,
      options.wsPort ?? (options.port === 0 ? 0 : port + WEB_SOCKET_OFFSET),
    )
    closers.push(() => {
      ws.close()
      return stopServer(ws.server)
    })

    const rpcUrl = `http://127.0.0.1:${port}`
    const wsUrl = `ws://127.0.0.1:${wsPort}`
    const realPrograms = [...programs.keys()]
    log.info(
      { network, rpcUrl, wsUrl, ...(realPrograms.length > 0 && { realPrograms }) },
      'local chain started',
    )
    return {
      network,
      rpcUrl,
      wsUrl,
      realPrograms,
      chain,
      airdrop(to, lamports) {
        const { err } = faucet.airdrop(to, lamports).execution
        if (err !== null)
          throw new Error(`airdrop of ${lamports} lamports to ${to} failed: ${JSON.stringify(err)}`)
      },
      subscriptions: hub.size,
      close: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}
