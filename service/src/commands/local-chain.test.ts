import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchAsset } from '@metaplex-foundation/mpl-core'
import { publicKey } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import * as kit from '@solana/kit'
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
} from '@solana/web3.js'
import { expect, onTestFinished, test } from 'vitest'
import { copyDemoWorld } from '../testing/demo-copy.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { freePort, runSlipway } from '../testing/run-slipway.ts'
import { createTestDatabase, toDatabaseUrl } from '../testing/test-database.ts'

interface DemoFile {
  networks: Record<
    string,
    {
      rpcUrl: string
      wsUrl: string
      agents: { address: string; owner: string; ownerSecretKey: number[]; funded: boolean }[]
      launches: { genesisAddress: string; mint: string }[]
    }
  >
  registrations: { genesisAccount: string; network: string }[]
  social: { url: string; accessToken: string; username: string }
}

const commitment = 'confirmed'

const NETWORK_SHAPE = {
  rpcUrl: 'string',
  wsUrl: 'string',
  agents: [
    { address: 'string', owner: 'string', ownerSecretKey: ['number'], funded: 'boolean', note: 'string' },
  ],
  launches: [{ genesisAddress: 'string', mint: 'string', note: 'string' }],
  rewards: [{ wallet: 'string', secretKey: ['number'], buckets: ['string'], note: 'string' }],
  visitor: { wallet: 'string', secretKey: ['number'] },
}

/** The property names and types in a value; an array is described by its first element. */
const shapeOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.slice(0, 1).map(shapeOf)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shapeOf(entry)]))
      : typeof value

test('Umi, web3.js and kit can use the embedded chains, which keep their state across restarts', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-local-chain-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const { connection: store } = await createTestDatabase()
  const env = {
    DATA_DIR: dataDir,
    PORT: await freePort(),
    LOCAL_CHAIN: 'on',
    LOCAL_CHAIN_PORT: await copyDemoWorld(dataDir),
    DATABASE_URL: toDatabaseUrl(store),
  }
  const first = runSlipway(['serve'], env)
  await first.serving()

  const path = join(dataDir, 'demo.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const demo = JSON.parse(readFileSync(path, 'utf8')) as DemoFile
  expect(shapeOf(demo)).toEqual({
    networks: { 'chain-mainnet': NETWORK_SHAPE, 'chain-devnet': NETWORK_SHAPE },
    registrations: [
      {
        genesisAccount: 'string',
        network: 'string',
        launch: {
          ...{ name: 'string', symbol: 'string', image: 'string', description: 'string', type: 'string' },
          ...{ externalLinks: { website: 'string', social: 'string' }, heroUrl: 'string' },
        },
      },
    ],
    social: { url: 'string', accessToken: 'string', username: 'string' },
  })
  const unregistered = demo.registrations.map(({ genesisAccount }) => genesisAccount)
  expect(demo.registrations).toMatchObject([{ network: 'chain-mainnet' }])
  const main = demo.networks['chain-mainnet'] as DemoFile['networks'][string]
  const agent = main.agents.find(({ funded }) => funded) as (typeof main.agents)[number]
  const connection = new Connection(main.rpcUrl, { commitment, wsEndpoint: main.wsUrl })

  // Clients read at `finalized` by default, so the demo world must be finalized from the start.
  const readAgent = async () => {
    const asset = await fetchAsset(createUmi(main.rpcUrl), publicKey(agent.address))
    const info = await new Connection(main.rpcUrl).getAccountInfo(new PublicKey(agent.address))
    const rpc = kit.createSolanaRpc(main.rpcUrl)
    const account = await kit.fetchEncodedAccount(rpc, kit.address(agent.address))
    expect(account.exists && Buffer.compare(account.data as Uint8Array, info?.data as Uint8Array)).toBe(0)
    return asset.owner as string
  }
  expect(await readAgent()).toBe(agent.owner)

  // The explorer that pages link to runs in the browser; pages of anyone else must not reach the chain.
  const readFrom = async (origin: string) => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"getHealth"}'
    const headers = { origin, 'content-type': 'application/json' }
    return (await rawRequest(main.rpcUrl, '/', { method: 'POST', headers, body })).status
  }
  expect(await readFrom('https://explorer.solana.com')).toBe(200)
  expect(await readFrom('https://explorer.solana.com.evil.example')).toBe(403)

  // The listings have the launches of the chain, except the one that users are invited to register.
  for (const [network, { launches, rpcUrl }] of Object.entries(demo.networks)) {
    const { data } = (
      await rawRequest(`http://127.0.0.1:${env.PORT}`, `/v1/launches?network=${network}`)
    ).json() as {
      data: { launch: { genesisAddress: string }; baseToken: { address: string; image: string } }[]
    }
    const listed = data.map(({ launch, baseToken }) => [launch.genesisAddress, baseToken.address])
    const expected = launches.filter(({ genesisAddress }) => !unregistered.includes(genesisAddress))
    expect(launches.length - expected.length).toBe(network === 'chain-mainnet' ? 1 : 0)
    expect(listed.sort()).toEqual(expected.map(({ genesisAddress, mint }) => [genesisAddress, mint]).sort())
    const accounts = await new Connection(rpcUrl, commitment).getMultipleAccountsInfo(
      listed.flat().map(address => new PublicKey(address)),
    )
    expect(accounts.every(account => account !== null)).toBe(true)
    expect((await fetch(data[0]?.baseToken.image as string)).status).toBe(200)
  }

  const owner = Keypair.fromSecretKey(Uint8Array.from(agent.ownerSecretKey))
  const friend = Keypair.generate().publicKey
  const airdrop = await connection.requestAirdrop(owner.publicKey, LAMPORTS_PER_SOL)
  await connection.confirmTransaction({ signature: airdrop, ...(await connection.getLatestBlockhash()) })
  const notified = new Promise<number>(resolve => {
    connection.onAccountChange(friend, ({ lamports }) => resolve(lamports), { commitment })
  })
  const transfer = SystemProgram.transfer({
    fromPubkey: owner.publicKey,
    toPubkey: friend,
    lamports: 5_000_000,
  })
  // Confirmed through a subscription to the signature.
  const signature = await sendAndConfirmTransaction(connection, new Transaction().add(transfer), [owner])
  expect(await notified).toBe(5_000_000)

  const { url, accessToken, username } = demo.social
  const me = await fetch(`${url}/2/users/me`, { headers: { authorization: `Bearer ${accessToken}` } })
  expect(await me.json()).toMatchObject({ data: { username } })

  // The subscription is still open: a connected client must not keep the service from stopping.
  first.child.kill('SIGINT')
  expect((await first.finished).code).toBe(0)

  const second = runSlipway(['serve'], { ...env, LOCAL_CHAIN_ACTIVITY: 'on' })
  await second.serving()
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(demo)
  expect(await readAgent()).toBe(agent.owner)
  expect(await connection.getBalance(friend)).toBe(5_000_000)
  expect((await connection.getSignatureStatuses([signature])).value[0]?.err).toBeNull()

  // The market changes launches on the chain.
  const genesis = (await connection.getAccountInfo(new PublicKey(main.launches[0]?.genesisAddress as string)))
    ?.owner as PublicKey
  const moved = new Promise<string>(resolve => {
    new Connection(main.rpcUrl, { commitment, wsEndpoint: main.wsUrl }).onProgramAccountChange(
      genesis,
      ({ accountInfo }) => resolve(accountInfo.owner.toBase58()),
      { commitment },
    )
  })
  expect(await moved).toBe(genesis.toBase58())
  second.child.kill('SIGTERM')
  expect((await second.finished).code).toBe(0)
})
