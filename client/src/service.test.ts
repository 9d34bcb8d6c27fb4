import { readFileSync } from 'node:fs'
import { createSignerFromKeypair, signerIdentity } from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import {
  createSlipway,
  type RegisterLaunchRequest,
  type Slipway,
  type SlipwayEvent,
  signOwnerChange,
} from '@slipway/client'
import { createSubmitter as createWithKit } from '@slipway/client/kit'
import { createSubmitter as createWithUmi } from '@slipway/client/umi'
import { createSubmitter as createWithWeb3Js, type Submitter } from '@slipway/client/web3js'
import { CreateLaunchBody } from '@slipway/schema/create-launch'
import { useDemo } from '@slipway/service/testing/demo'
import { useTestService } from '@slipway/service/testing/test-service'
import { createKeyPairFromBytes, createKeyPairSignerFromBytes, createSolanaRpc, signBytes } from '@solana/kit'
import { Connection, Keypair, type VersionedTransaction } from '@solana/web3.js'
import { expect, onTestFinished, test } from 'vitest'

const world = useDemo()
const service = useTestService(() => ({ config: world.config(), social: { apiUrl: world.demo.socialUrl } }))

interface DemoFile {
  networks: Record<
    string,
    {
      rpcUrl: string
      agents: { address: string; owner: string; ownerSecretKey: number[]; funded: boolean }[]
      rewards: { wallet: string; secretKey: number[]; buckets: unknown[] }[]
    }
  >
  registrations: RegisterLaunchRequest[]
}

/** A client of the service, and what the demo's wallets have. */
function start() {
  const { url } = service()
  const requests: string[] = []
  const slipway = createSlipway({
    url,
    fetch(input, init) {
      requests.push(`${init?.method} ${new URL(`${input}`).pathname}`)
      return fetch(input, init)
    },
  })
  const demo = JSON.parse(readFileSync(world.demo.demoFile, 'utf8')) as DemoFile
  const { rpcUrl, agents, rewards } = demo.networks['chain-mainnet'] as DemoFile['networks'][string]
  const agent = agents.find(({ funded }) => funded) as (typeof agents)[number]
  const connection = new Connection(rpcUrl, 'confirmed')
  const key = (secretKey: number[]) => Keypair.fromSecretKey(Uint8Array.from(secretKey))
  return { slipway, requests, demo, rpcUrl, agent, rewards, connection, key }
}

test('every read returns what the service has, and a missing one is an error with its code', async () => {
  const { slipway, demo, agent, rewards } = start()
  const found = await slipway.agents.get(agent.address)
  expect(found).toMatchObject({ address: agent.address, owner: agent.owner, tokens: expect.any(Array) })
  expect(found).not.toHaveProperty('success')
  expect(await slipway.agents.card(agent.address)).toMatchObject({ name: found.name })
  expect(await slipway.agents.cardKeys()).toEqual([])
  expect(await slipway.agents.list({ verified: true, pageSize: 3 })).toMatchObject({
    pageSize: 3,
    agents: [],
  })
  expect(await slipway.launches.list({ status: 'live', spotlight: false })).toEqual([])
  expect(await slipway.launches.spotlight()).toEqual([])

  // biome-ignore lint/style/noNonNullAssertion: the demo has one
  const registration = demo.registrations[0]!
  const { event } = await follow(slipway)
  const proof = await slipway.social.verify({ accessToken: 'demo-token-glasshouse' })
  expect(proof).toEqual({ username: 'glasshouse', token: expect.any(String) })
  const registered = await slipway.launches.register({
    ...registration,
    socialVerificationToken: proof.token,
  })
  expect(registered).toMatchObject({ existing: false })
  expect(await slipway.launches.register(registration)).toEqual({ ...registered, existing: true })
  const { genesisAccount } = registration
  expect(await event).toMatchObject({
    type: 'launch.registered',
    network: 'chain-mainnet',
    address: genesisAccount,
  })
  await expect.poll(() => slipway.launches.list()).toHaveLength(1)
  const { launches, ...page } = await slipway.launches.page({ sort: 'newest', limit: 1 })
  expect(launches).toEqual(await slipway.launches.list())
  expect(page).toEqual({ next: null, total: 1 })
  const all = []
  for await (const launch of slipway.launches.all({ query: registration.launch.name })) all.push(launch)
  expect(all).toEqual(launches)
  expect(await slipway.launches.get(genesisAccount)).toMatchObject({ verifiedSocials: ['x'] })
  expect((await slipway.tokens.get(registered.token.mintAddress)).launches).toHaveLength(1)

  // biome-ignore lint/style/noNonNullAssertion: the demo has one
  const { wallet } = rewards[0]!
  expect(await slipway.rewards.get(wallet)).toMatchObject({
    wallet,
    buckets: expect.arrayContaining([expect.objectContaining({ kind: 'bondingCurveV2' })]),
  })
  expect(await slipway.rewards.claim({ wallet: agent.owner })).toEqual({ transactions: [] })

  const missing = wallet
  await expect(slipway.agents.get(missing)).rejects.toMatchObject({ status: 404, code: 'AGENT_NOT_FOUND' })
  await expect(slipway.launches.get(missing)).rejects.toMatchObject({ status: 404, code: 'LAUNCH_NOT_FOUND' })
  await expect(slipway.tokens.get(missing)).rejects.toMatchObject({ status: 404, code: 'TOKEN_NOT_FOUND' })
  await expect(slipway.documents.get('0'.repeat(64))).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' })
  await expect(slipway.rewards.get('junk')).rejects.toMatchObject({ code: 'INVALID_WALLET' })
  const invalid = slipway.agents.mint({ wallet: agent.owner, name: '', uri: '', agentMetadata: {} as never })
  await expect(invalid).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    requestId: expect.any(String),
    details: expect.arrayContaining([{ path: 'agentMetadata.name', message: 'is required' }]),
  })
})

test('an owner signs a new card, and the service accepts it', async () => {
  const { slipway, agent } = start()
  const { privateKey } = await createKeyPairFromBytes(Uint8Array.from(agent.ownerSecretKey))
  const wallet = { address: agent.owner, signMessage: (text: Uint8Array) => signBytes(privateKey, text) }
  const change = { deployment: 'https://slipway.example', address: agent.address }
  const card = { ...(await slipway.agents.card(agent.address)), description: 'Ünicode, "quotes" and 1e21' }
  const signed = await signOwnerChange({ ...change, purpose: 'replace agent card', card }, wallet)
  await slipway.agents.replaceCard(agent.address, { card, ...signed })
  await expect.poll(() => slipway.agents.card(agent.address)).toEqual(card)
  await slipway.agents.removeCard(
    agent.address,
    await signOwnerChange({ ...change, purpose: 'remove agent card' }, wallet),
  )
  await expect(slipway.agents.removeCard(agent.address, signed)).rejects.toMatchObject({
    code: 'INVALID_SIGNATURE',
  })
})

test('kit, Umi and web3.js confirm a transaction, and tell apart why one was not executed', async () => {
  const { slipway, agent, rpcUrl, connection, key } = start()
  const umi = createUmi(rpcUrl, 'confirmed')
  const umiKey = umi.eddsa.createKeypairFromSecretKey(Uint8Array.from(agent.ownerSecretKey))
  umi.use(signerIdentity(createSignerFromKeypair(umi, umiKey)))
  const submitters: Record<string, Submitter> = {
    kit: createWithKit({
      rpc: createSolanaRpc(rpcUrl),
      signers: [await createKeyPairSignerFromBytes(Uint8Array.from(agent.ownerSecretKey))],
    }),
    umi: createWithUmi({ umi }),
    web3js: createWithWeb3Js({ connection, signers: [key(agent.ownerSecretKey)] }),
  }
  const withdraw = (amount: number) => slipway.agents.withdraw(agent.address, { sender: agent.owner, amount })
  const tooMuch = await withdraw(1_000_000)
  let amount = 0.001
  for (const [name, submitter] of Object.entries(submitters)) {
    // Equal transactions would have equal signatures.
    amount += 0.001
    const { signature, slot } = await submitter.submit(await withdraw(amount))
    expect((await connection.getSignatureStatus(signature)).value, name).toMatchObject({ slot, err: null })
    const wallet = await slipway.agents.wallet(agent.address, { minSlot: slot })
    expect(wallet.slot, name).toBeGreaterThanOrEqual(slot)
    await expect(submitter.submit(tooMuch), name).rejects.toMatchObject({
      name: 'TransactionError',
      reason: 'rejected',
      signature: expect.any(String),
      logs: expect.arrayContaining([expect.stringContaining('insufficient lamports')]),
    })
  }

  const signers = [key(agent.ownerSecretKey)]
  const unchecked = createWithWeb3Js({
    signers,
    connection: {
      ...readsOf(connection),
      sendRawTransaction: wire => connection.sendRawTransaction(wire, { skipPreflight: true }),
    },
  })
  await expect(unchecked.submit(tooMuch)).rejects.toMatchObject({ reason: 'failed' })

  const lost = createWithWeb3Js({
    signers,
    connection: { ...readsOf(connection), sendRawTransaction: async () => '' },
  })
  const built = await withdraw(0.01)
  const past = { ...built, blockhash: { ...built.blockhash, lastValidBlockHeight: 1 } }
  await expect(lost.submit(past)).rejects.toMatchObject({ reason: 'expired' })

  const stranger = await createKeyPairSignerFromBytes(Keypair.generate().secretKey)
  const umiStranger = createSignerFromKeypair(umi, umi.eddsa.generateKeypair())
  for (const submitter of [
    createWithKit({ rpc: createSolanaRpc(rpcUrl), signers: [stranger] }),
    createWithUmi({ umi, signers: [umiStranger] }),
    createWithWeb3Js({ connection, signers: [] }),
  ])
    await expect(submitter.submit(built)).rejects.toMatchObject({
      reason: 'rejected',
      message: `The transaction was rejected: it needs the signature of ${agent.owner}, and no signer was given for it`,
    })

  const refusal = new Error('User rejected the request')
  const refused = createWithWeb3Js({
    connection,
    signers: [
      { publicKey: key(agent.ownerSecretKey).publicKey, signAllTransactions: () => Promise.reject(refusal) },
    ],
  })
  await expect(refused.submit(built)).rejects.toMatchObject({
    reason: 'rejected',
    signature: undefined,
    cause: refusal,
  })
})

test('a claim reports on each of its transactions, whatever happens to the others', async () => {
  const { slipway, rewards, connection, key } = start()
  const { wallet, secretKey } = rewards.find(
    ({ buckets }) => buckets.length === 2,
  ) as (typeof rewards)[number]
  const keypair = key(secretKey)
  const asked: number[] = []
  const submitter = createWithWeb3Js({
    connection,
    signers: [
      {
        publicKey: keypair.publicKey,
        async signAllTransactions(transactions: VersionedTransaction[]) {
          asked.push(transactions.length)
          for (const transaction of transactions) transaction.sign([keypair])
          // Like a faulty wallet.
          transactions[1]?.signatures[0]?.fill(7)
          return transactions
        },
      },
    ],
  })
  const claim = await slipway.rewards.claim({ wallet })
  const progress: number[] = []
  const results = await submitter.submitAll(claim, { onProgress: ({ index }) => progress.push(index) })
  expect(asked).toEqual([2])
  expect(results).toMatchObject([
    { index: 0, status: 'confirmed', signature: expect.any(String) },
    { index: 1, status: 'rejected', error: { reason: 'rejected' } },
  ])
  expect(progress.toSorted()).toEqual([0, 1])
  const again = await slipway.rewards.claim({ wallet })
  expect(again.transactions).toHaveLength(1)
  expect(await submitter.submitAll({ transactions: [] })).toEqual([])
})

test('a launch continues when its blockhash expires before the first transaction, and between two', async () => {
  const { slipway, requests, agent, connection, key } = start()
  // The first transaction of each of two rounds is lost, and then the blockhash has expired.
  const losses = [true, false, true]
  let isExpired = false
  const submitter = createWithWeb3Js({
    signers: [key(agent.ownerSecretKey)],
    connection: {
      ...readsOf(connection),
      getBlockHeight: async commitment =>
        isExpired ? Number.POSITIVE_INFINITY : connection.getBlockHeight(commitment),
      async sendRawTransaction(wire, options) {
        isExpired = losses.shift() ?? false
        return isExpired ? '' : connection.sendRawTransaction(wire, options)
      },
    },
  })
  const [example] = (CreateLaunchBody.meta()?.examples ?? []) as [{ wallet: string; launch: object }]
  const body = JSON.parse(JSON.stringify(example).replaceAll(example.wallet, agent.owner))
  const progress: string[] = []
  const { genesisAccount, signatures } = await submitter.createLaunch(slipway, body, {
    onProgress: ({ confirmed, total }) => progress.push(`${confirmed}/${total}`),
  })
  expect(progress).toEqual(['0/2', '0/2', '1/2', '1/2', '2/2'])
  expect(signatures).toHaveLength(2)
  expect(requests).toEqual(Array(3).fill('POST /v1/launches/create'))
  expect(await slipway.launches.register({ genesisAccount, launch: body.launch })).toMatchObject({
    existing: false,
  })
})

/** Resolves when the feed is open, with the promise of its first event. */
async function follow(slipway: Slipway): Promise<{ event: Promise<SlipwayEvent | undefined> }> {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  return new Promise((resolve, reject) => {
    const onStatus = (status: string) => status === 'open' && resolve({ event })
    const feed = slipway.events({ types: ['launch.registered'] }, { signal: controller.signal, onStatus })
    const event = feed.next().then(({ value }) => value ?? undefined)
    event.catch(reject)
  })
}

const readsOf = (connection: Connection) => ({
  getSignatureStatuses: connection.getSignatureStatuses.bind(connection),
  getBlockHeight: connection.getBlockHeight.bind(connection),
})
