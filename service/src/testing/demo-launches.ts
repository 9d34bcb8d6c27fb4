import { writeAddress } from '@slipway/launch-model/bytes/base58'
import { genesisAccountLayout } from '@slipway/launch-model/genesis-account'
import { registrationOf as registrationOfLaunch } from '@slipway/local-chain'
import { createKeypair, type Keypair } from '@slipway/local-chain/ledger/keypair'
import { systemTransfer } from '@slipway/local-chain/ledger/system-instructions'
import { makeLaunch as makeLaunchOn } from '@slipway/local-chain/testing/made-launch'
import type { LaunchTerms } from '@slipway/local-chain/world/plan-launch'
import { submit } from '@slipway/local-chain/world/submit'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit'
import { createSubmitter } from '../../../client/src/kit.ts'
import type { useDemo } from './demo.ts'

export type DemoWorld = ReturnType<typeof useDemo>

export function demoLaunch(world: DemoWorld, slug: string, network: Network = 'chain-mainnet') {
  const found = world.chainOf(network).world.launches.find(({ entry }) => entry.slug === slug)
  if (!found) throw new Error(`the demo has no launch ${slug}`)
  return found
}

/** The JSON that the creator of a demo launch would send, without the agent. */
export function registrationOf(
  world: DemoWorld,
  slug: string,
  { network = 'chain-mainnet', ...fields }: { network?: Network; [field: string]: unknown } = {},
) {
  const { agent: _, ...launch } = demoLaunch(world, slug, network)
  return { ...registrationOfLaunch(launch, network as string), ...fields }
}

/** A different amount each time, so that two changes in one slot are two transactions. */
let changes = 0n

/** Creates another launch on the demo's chain, with the body that its creator would send. */
export function makeLaunch(
  world: DemoWorld,
  {
    name,
    uri = '',
    authority,
    ...terms
  }: { name: string; uri?: string; authority?: Address } & Partial<LaunchTerms>,
) {
  const { chain } = world.chainOf().local
  const { addresses, mint, maker } = makeLaunchOn(chain, { ...terms, token: { name, symbol: 'MADE', uri } })
  /** Writes other bytes into one of its accounts, as a transaction that names the launch would. */
  function change(address: string, change: (data: Uint8Array) => void) {
    const account = chain.account(address as never)
    if (!account) throw new Error(`there is no account at ${address}`)
    const data = Uint8Array.from(account.data)
    change(data)
    submit(chain, [maker], [systemTransfer(maker.address, maker.address, ++changes)], {
      also: new Map([[address as never, { ...account, data }]]),
      named: [addresses.genesis],
    })
  }
  if (authority)
    change(addresses.genesis, data =>
      writeAddress(authority, data, genesisAccountLayout.offsetOf('authority')),
    )
  return {
    addresses,
    mint: mint as Address,
    maker,
    body: {
      genesisAccount: addresses.genesis as string,
      launch: { name, symbol: 'MADE', image: '', type: 'launchpool' } as Record<string, unknown>,
    },
    change,
  }
}

/** Posts a value as JSON, or a string as it is. */
export async function postJson(url: string, body: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return {
    status: response.status,
    // biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the answers
    body: (await response.json()) as any,
  }
}

/** A wallet with funds on the demo's chain. */
export function demoWallet(world: DemoWorld, lamports = 10_000_000_000n): Keypair {
  const key = createKeypair()
  world.chainOf().local.airdrop(key.address, lamports)
  return key
}

/** Signs and submits what the API has built, one transaction after the other. */
export async function submitBuilt(
  world: DemoWorld,
  built: { tx?: string; transactions?: string[]; blockhash: never },
  ...keys: Keypair[]
) {
  const signers = await Promise.all(keys.map(({ secretKey }) => createKeyPairSignerFromBytes(secretKey)))
  const submitter = createSubmitter({ rpc: createSolanaRpc(world.chainOf().local.rpcUrl), signers })
  for (const tx of built.transactions ?? [built.tx as string])
    await submitter.submit({ tx, blockhash: built.blockhash })
}
