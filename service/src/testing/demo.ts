import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Demo } from '@slipway/local-chain'
import type { Network } from '@slipway/schema/network'
import { afterAll, beforeAll } from 'vitest'
import { type Config, parseConfig } from '../config.ts'
import { startDemoCopy } from './demo-copy.ts'

/** The embedded chains with their world on free ports, for all tests of a file. */
export function useDemo(options: { activity?: boolean } = {}) {
  let demo: Demo
  let dataDir: string
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'slipway-demo-'))
    demo = await startDemoCopy(dataDir, options)
  })
  afterAll(async () => {
    await demo?.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const chainOf = (network: Network = 'chain-mainnet') => {
    const found = demo.networks.find(({ local }) => local.network === network)
    if (!found) throw new Error(`the demo has no ${network}`)
    return found
  }
  return {
    chainOf,
    agent(slug: string, network?: Network) {
      const found = chainOf(network).world.agents.find(({ entry }) => entry.slug === slug)
      if (!found) throw new Error(`the demo has no agent ${slug}`)
      return found
    },
    /** The configuration of a node on these chains. */
    config(): Partial<Config> {
      const { metadata, ...rest } = parseConfig({})
      return {
        rpcUrls: {
          'chain-mainnet': [chainOf('chain-mainnet').local.rpcUrl],
          'chain-devnet': [chainOf('chain-devnet').local.rpcUrl],
        },
        rpcWsUrls: {
          'chain-mainnet': chainOf('chain-mainnet').local.wsUrl,
          'chain-devnet': chainOf('chain-devnet').local.wsUrl,
        },
        metadata: { ...metadata, allowHosts: [demo.documentsHost] },
        social: { ...rest.social, apiUrl: demo.socialUrl },
      }
    },
    get demo() {
      return demo
    },
  }
}
