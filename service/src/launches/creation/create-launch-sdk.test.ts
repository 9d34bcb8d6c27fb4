import { type CreateLaunchInput, createAndRegisterLaunch } from '@metaplex-foundation/genesis'
import { mintAndSubmitAgent } from '@metaplex-foundation/mpl-agent-registry'
import { fetchToken, findAssociatedTokenPda, mplToolbox } from '@metaplex-foundation/mpl-toolbox'
import { generateSigner, publicKey, type Umi } from '@metaplex-foundation/umi'
import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { configOf, fundedWallet, getJson, mintBody, SOL, umiOf } from '../../agents/test-mints.ts'
import { runSql } from '../../testing/test-database.ts'
import { startTestService } from '../../testing/test-service.ts'
import { curveInput, poolInput, TOKEN } from './test-launches.ts'

const soon = { timeout: 30_000, interval: 50 }

async function start() {
  const local = await startChain()
  const service = await startTestService({ config: { ...configOf(local), indexer: true } })
  const baseUrl = service.url
  return {
    ...service,
    local,
    /** A wallet with funds, and Umi that signs with it. */
    wallet() {
      const key = fundedWallet(local)
      return { key, address: key.address, umi: umiOf(local, key).use(mplToolbox()) }
    },
    create: (umi: Umi, input: CreateLaunchInput) => createAndRegisterLaunch(umi, { baseUrl }, input),
    async agent(umi: Umi, owner: string) {
      return (await mintAndSubmitAgent(umi, { baseUrl }, mintBody(owner))).assetAddress
    },
  }
}
const tokensOf = async (umi: Umi, owner: string, mint: string) =>
  (await fetchToken(umi, findAssociatedTokenPda(umi, { mint: publicKey(mint), owner: publicKey(owner) })[0]))
    .amount

test('createAndRegisterLaunch of the official SDK creates every kind of launch, and each is listed', async () => {
  const { url, local, wallet, agent, create, connection } = await start()
  const launchWith = async (
    name: string,
    input: (by: string, agent?: string) => CreateLaunchInput,
    as?: 'agent',
  ) => {
    const { umi, address } = wallet()
    const asset = as && (await agent(umi, address))
    const { genesisAccount, mintAddress, signatures } = await create(umi, input(address, asset))
    return { name, umi, address, asset, genesisAccount, mintAddress, count: signatures.length }
  }
  const by = (asset: string | undefined) =>
    asset ? { agent: { mint: publicKey(asset), setToken: true } } : {}
  const buyer = generateSigner(wallet().umi)
  local.airdrop(buyer.publicKey as never, 10n * SOL)
  const bought = { firstBuyAmount: 0.1 }
  const created = await Promise.all([
    launchWith('pool', own => poolInput(own)),
    launchWith('all into the pool', own => poolInput(own, { raydiumLiquidityBps: 10_000 })),
    launchWith('pool of an agent', (own, asset) => poolInput(own, {}, by(asset)), 'agent'),
    launchWith('curve', own => curveInput(own)),
    launchWith('curve with a first buy', own => curveInput(own, bought)),
    launchWith('curve with another buyer', own => curveInput(own, { ...bought, firstBuyWallet: buyer })),
    launchWith('curve of an agent', (own, asset) => curveInput(own, {}, by(asset)), 'agent'),
    launchWith(
      'curve of an agent with a first buy',
      (own, asset) => curveInput(own, bought, by(asset)),
      'agent',
    ),
  ])
  expect(Object.fromEntries(created.map(({ name, count }) => [name, count]))).toMatchInlineSnapshot(`
    {
      "all into the pool": 3,
      "curve": 2,
      "curve of an agent": 3,
      "curve of an agent with a first buy": 4,
      "curve with a first buy": 3,
      "curve with another buyer": 3,
      "pool": 4,
      "pool of an agent": 6,
    }
  `)
  const shown = async (genesisAddress: string) =>
    (await getJson(`${url}/v1/launches?status=live`)).body.data.find(
      (one: { launch: { genesisAddress: string } }) => one.launch.genesisAddress === genesisAddress,
    )
  for (const { name, genesisAccount, mintAddress } of created)
    await expect
      .poll(() => shown(genesisAccount), soon)
      .toMatchObject({
        launch: { mechanic: name.includes('curve') ? 'bondingCurveV2' : 'launchpoolV2' },
        baseToken: { address: mintAddress, name: TOKEN.name, image: TOKEN.image },
        website: TOKEN.externalLinks.website,
      })
  for (const { asset, mintAddress } of created.filter(one => one.asset))
    await expect
      .poll(async () => (await getJson(`${url}/v1/agents/${asset}`)).body, soon)
      .toMatchObject({ agentToken: mintAddress, tokens: [{ address: mintAddress }] })
  // The registration keeps each token's document.
  const { rows } = await runSql(connection, 'SELECT asset FROM documents WHERE named_at IS NOT NULL')
  const kept = rows.map(({ asset }) => asset)
  expect(kept).toEqual(expect.arrayContaining(created.map(({ genesisAccount }) => genesisAccount)))
  const base = BigInt(717_948_717_948_717 + 464_555_052_790_349)
  const expected = base - (55_000_000_000n * base + 55_099_999_999n) / 55_100_000_000n
  for (const { name, umi, address, asset, mintAddress } of created.filter(one => /buy/.test(one.name))) {
    const owner = asset
      ? assetSignerAddress(asset as Address)
      : name.includes('buyer')
        ? buyer.publicKey
        : address
    expect({ name, tokens: await tokensOf(umi, owner, mintAddress) }).toEqual({ name, tokens: expected })
  }
})
