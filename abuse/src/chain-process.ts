import { readFileSync } from 'node:fs'
import { registrationOf, startDemo } from '@slipway/local-chain'
import type { Network } from '@slipway/schema/network'

/** What the attacks know about the chain. */
export interface DemoChain {
  rpcUrl: string
  wsUrl: string
  socialUrl: string
  documentsHost: string
  agents: { address: string; owner: string }[]
  wallets: string[]
  /** The devnet chain, and an owner with funds there. */
  devnet: { rpcUrl: string; wsUrl: string; owner: string; ownerSecretKey: number[] }
  /** Bodies for `POST /v1/launches/register`, one for each launch. */
  registrations: { genesisAccount: string }[]
}

/** Runs the demo chains in a process of their own and reports their addresses to the parent. */
export async function runChainProcess(dataDir: string, activity: boolean): Promise<void> {
  const log = { info() {}, error: (fields: unknown, message: string) => console.error(message, fields) }
  const demo = await startDemo({ dataDir, port: 0, activity, log })
  const [mainnet] = demo.networks
  if (!mainnet) throw new Error('the demo has no network')
  const { networks } = JSON.parse(readFileSync(demo.demoFile, 'utf8'))
  const file = networks['chain-mainnet']
  const devnet = networks['chain-devnet']
  const { owner, ownerSecretKey } = devnet.agents.find(({ funded }: { funded: boolean }) => funded)
  const chain: DemoChain = {
    rpcUrl: mainnet.local.rpcUrl,
    wsUrl: mainnet.local.wsUrl,
    socialUrl: demo.socialUrl,
    documentsHost: demo.documentsHost,
    agents: file.agents,
    devnet: { rpcUrl: devnet.rpcUrl, wsUrl: devnet.wsUrl, owner, ownerSecretKey },
    wallets: file.rewards.map(({ wallet }: { wallet: string }) => wallet),
    registrations: mainnet.world.launches.map(launch =>
      registrationOf(launch, mainnet.local.network as Network),
    ),
  }
  process.send?.(chain)
  process.on('disconnect', () => process.exit())
}
