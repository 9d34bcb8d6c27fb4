import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Keypair } from '../ledger/keypair.ts'
import type { LocalChain } from '../start-local-chain.ts'
import type { World } from './build-world.ts'
import { registrationOf } from './registration.ts'

type DemoNetwork = {
  readonly local: Pick<LocalChain, 'network' | 'rpcUrl' | 'wsUrl'>
  readonly world: World
}

/**
 * The port of the documents, if this folder already has a world. Their URLs are on its chain, so they keep their port
 * when `LOCAL_CHAIN_PORT` changes.
 */
export function readDocumentsPort(dataDir: string): number | undefined {
  try {
    const { social } = JSON.parse(readFileSync(demoFilePath(dataDir), 'utf8'))
    return Number(new URL(social.url).port) || undefined
  } catch {
    return undefined
  }
}

/**
 * Writes the contents of the demo world and their keys, for scripts. The keys are good only for the demo, but the
 * file is still private. It is replaced atomically.
 */
export function writeDemoFile(dataDir: string, networks: readonly DemoNetwork[], socialUrl: string): void {
  const path = demoFilePath(dataDir)
  const temporary = `${path}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(file, `${JSON.stringify(describe(networks, socialUrl), null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  chmodSync(temporary, 0o600)
  renameSync(temporary, path)
}

export const demoFilePath = (dataDir: string): string => join(dataDir, 'demo.json')

function describe(networks: readonly DemoNetwork[], socialUrl: string) {
  return {
    networks: Object.fromEntries(
      networks.map(({ local, world }) => [
        local.network,
        {
          rpcUrl: local.rpcUrl,
          wsUrl: local.wsUrl,
          agents: world.agents.map(({ address, owner, fundedLamports, entry }) => ({
            address,
            owner: owner.address,
            ownerSecretKey: secretOf(owner),
            funded: fundedLamports > 0n,
            note: `${entry.name}: ${entry.note}`,
          })),
          launches: world.launches.map(({ genesisAddress, mint, entry }) => ({
            genesisAddress,
            mint,
            note: `${entry.name} (${entry.mechanic})${entry.unregistered ? ', not registered' : ''}${entry.waits ? `, waits ${entry.waits}` : ''}${entry.ofVisitor ? `, has a deposit of ${entry.ofVisitor} SOL by the visitor` : ''}`,
          })),
          /** A wallet with funds, and with deposits in a few launches. */
          visitor: { wallet: world.visitor.address, secretKey: secretOf(world.visitor) },
          rewards: world.rewards.map(({ wallet, buckets, note }) => ({
            wallet: wallet.address,
            secretKey: secretOf(wallet),
            buckets,
            note,
          })),
        },
      ]),
    ),
    /** Request bodies that register the unregistered launches. */
    registrations: networks.flatMap(({ local, world }) =>
      world.launches
        .filter(({ entry }) => entry.unregistered)
        .map(launch => registrationOf(launch, local.network)),
    ),
    social: { url: socialUrl, accessToken: 'demo-token-harbourmaster', username: 'harbourmaster' },
  }
}

const secretOf = ({ secretKey }: Keypair): number[] => [...secretKey]
