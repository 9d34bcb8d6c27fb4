import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '@solana/kit'
import type { Keypair } from '../ledger/keypair.ts'
import type { LocalChain } from '../start-local-chain.ts'
import type { World } from './build-world.ts'
import type { WorldLaunch } from './world-launch.ts'

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

/** The request body that registers a launch with the service. */
export const registrationOf = <Network extends string>(
  { genesisAddress, image, heroUrl, externalLinks, agent, entry }: WorldLaunch,
  network: Network,
) => ({
  genesisAccount: genesisAddress,
  network,
  launch: {
    name: entry.name,
    symbol: entry.symbol,
    image,
    description: entry.description,
    type: entry.mechanic,
    externalLinks,
    heroUrl,
  },
  ...(agent && { agent: { mint: agent } }),
})

/** A throw-away key of the demo, and what it can do. */
export type DemoKey = {
  readonly address: Address
  /** 64 bytes. */
  readonly secretKey: Uint8Array
  /** Such as `Owner of Tidewatch`. */
  readonly label: string
}

/** The keys that can act in the demo: the visitor's own, the agents' owners, and the creators of launches. */
export function listDemoKeys({ visitor, agents, launches }: World): DemoKey[] {
  const keys: DemoKey[] = [toDemoKey(visitor, 'Visitor')]
  for (const { owner, entry } of agents)
    if (!entry.burnt) keys.push(toDemoKey(owner, `Owner of ${entry.name}`))
  const creators = new Map<Address, { key: Keypair; names: string[] }>()
  for (const { creator, entry } of launches) {
    const known = creators.get(creator.address) ?? { key: creator, names: [] }
    known.names.push(entry.name)
    creators.set(creator.address, known)
  }
  for (const { key, names } of creators.values()) keys.push(toDemoKey(key, `Creator of ${nameSome(names)}`))
  return keys
}

const NAMES_MAX = 3

const nameSome = (names: string[]): string =>
  names.length <= NAMES_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMES_MAX).join(', ')} and ${names.length - NAMES_MAX} more`

const toDemoKey = ({ address, secretKey }: Keypair, label: string): DemoKey => ({ address, secretKey, label })
