import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_SERVER_OFFSET, RPC_OFFSETS } from '@slipway/local-chain/ports'
import type { Network } from '@slipway/schema/network'
import { z } from 'zod'
import type { Config } from '../config.ts'

type Location = Pick<Config, 'dataDir' | 'localChain'>

/**
 * The RPC of a running service's embedded chain. The service writes it to `demo.json`, because its `LOCAL_CHAIN_PORT` may
 * differ from that of a command.
 */
export const findEmbeddedRpcUrl = ({ dataDir, localChain }: Location, network: Network): string =>
  readDemoFile(dataDir)?.networks[network]?.rpcUrl ??
  `http://127.0.0.1:${localChain.port + RPC_OFFSETS[network]}`

/** `host:port` of the demo's documents, found in the same way. */
export function findDocumentsHost({ dataDir, localChain }: Location): string {
  const demo = readDemoFile(dataDir)
  return demo ? new URL(demo.social.url).host : `127.0.0.1:${localChain.port + DEMO_SERVER_OFFSET}`
}

const demoFile = z.object({
  networks: z.record(z.string(), z.object({ rpcUrl: z.url() })),
  social: z.object({ url: z.url() }),
})

function readDemoFile(dataDir: string): z.infer<typeof demoFile> | undefined {
  try {
    return demoFile.parse(JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')))
  } catch {
    return undefined
  }
}
