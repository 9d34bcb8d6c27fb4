import { assetSignerAddress, identityAddress } from '@slipway/launch-model/addresses'
import { rentFor } from '@slipway/local-chain/conditions'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { agentMaker, agentWallet } from '@slipway/local-chain/world/create-agent'
import type { Address } from '@slipway/schema/address'
import { beforeEach, expect, test } from 'vitest'
import { decodeAsset } from '../accounts/asset.ts'
import { decodeIdentity } from '../accounts/identity.ts'
import { buildWithdrawTransaction } from './build-withdraw.ts'
import { startTestChain, type TestChain } from './test-chain.ts'

const SOL = 1_000_000_000n
const SIGNATURE_FEE = 5_000n
/** Core charges this for every `Execute`. */
const EXECUTE_FEE = rentFor(7) - rentFor(0)
const DOCUMENT = 'https://a.example/agent.json'

let chain: TestChain
let owner: ReturnType<TestChain['wallet']>
let maker: ReturnType<typeof agentMaker>
beforeEach(async () => {
  chain = await startTestChain()
  owner = chain.wallet()
  maker = agentMaker(chain.chain, owner, owner)
})

async function makeAgent({ inCollection = false } = {}): Promise<Address> {
  const asset = createKeypair()
  const collection = inCollection ? createKeypair() : undefined
  if (collection) await maker.createCollection(collection, 'Crew', 'https://a.example/c.json')
  await maker.create(asset, {
    name: 'Agent',
    uri: 'https://a.example/1.json',
    collection: collection?.address,
  })
  await maker.register(asset.address, DOCUMENT, collection?.address)
  chain.airdrop(agentWallet(asset.address), SOL)
  return asset.address
}

/** Reads the asset, then builds the transaction, as the service does. */
async function withdraw(asset: Address, lamports: bigint, signer = owner) {
  const decoded = decodeAsset(chain.read(asset))
  if (!decoded.exists) throw new Error(decoded.reason)
  const blockhash = await chain.latestBlockhash()
  const { collection } = decoded
  return chain.land(
    buildWithdrawTransaction({ asset, collection, owner: signer.address, lamports, blockhash }),
    signer,
  )
}

test.each([
  ['alone', false, 2],
  ['in a collection', true, 2],
  ['alone, with an identity of version 1', false, 1],
  ['in a collection, with an identity of version 1', true, 1],
])('the owner can withdraw everything from an agent %s', async (_, inCollection, version) => {
  const asset = await makeAgent({ inCollection })
  if (version === 1) maker.downgradeIdentity(asset)
  expect(decodeIdentity(chain.read(identityAddress(asset)))).toMatchObject({ exists: true, version, asset })
  expect(decodeAsset(chain.read(asset))).toMatchObject({ owner: owner.address, agentUri: DOCUMENT })
  const wallet = assetSignerAddress(asset)
  const before = chain.lamports(owner.address)

  expect(await withdraw(asset, 400_000_001n)).toBeNull()
  expect(chain.lamports(wallet)).toBe(SOL - 400_000_001n)
  expect(chain.lamports(owner.address)).toBe(before + 400_000_001n - EXECUTE_FEE - SIGNATURE_FEE)

  expect(await withdraw(asset, SOL - 400_000_001n)).toBeNull()
  expect(chain.lamports(wallet)).toBe(0n)
  expect(chain.lamports(owner.address)).toBe(before + SOL - 2n * (EXECUTE_FEE + SIGNATURE_FEE))
})

test('the program refuses a withdrawal that does not name the collection', async () => {
  const asset = await makeAgent({ inCollection: true })
  const blockhash = await chain.latestBlockhash()
  const bare = buildWithdrawTransaction({ asset, owner: owner.address, lamports: 1n, blockhash })
  expect(await chain.land(bare, owner)).toEqual({ InstructionError: [0, { Custom: 25 }] })
})

test('after a transfer only the new owner can withdraw', async () => {
  const asset = await makeAgent()
  const next = chain.wallet()
  await maker.transfer(asset, next.address)
  expect(decodeAsset(chain.read(asset))).toMatchObject({ owner: next.address })
  expect(await withdraw(asset, SOL, owner)).toEqual({ InstructionError: [0, { Custom: 26 }] })
  expect(await withdraw(asset, SOL, next)).toBeNull()
})

test('a burnt agent is decoded as burnt', async () => {
  const asset = await makeAgent()
  await maker.burn(asset)
  expect(decodeAsset(chain.read(asset))).toMatchObject({ exists: false, reason: 'burnt' })
})

test('a withdrawal that would leave less than the rent-exempt minimum fails', async () => {
  const asset = await makeAgent()
  const wallet = assetSignerAddress(asset)
  expect(await withdraw(asset, SOL - rentFor(0) + 1n)).toMatchObject({ InsufficientFundsForRent: {} })
  expect(await withdraw(asset, SOL + 1n)).toEqual({ InstructionError: [0, { Custom: 1 }] })
  expect(chain.lamports(wallet)).toBe(SOL)
  expect(await withdraw(asset, SOL - rentFor(0))).toBeNull()
  expect(chain.lamports(wallet)).toBe(rentFor(0))
})
