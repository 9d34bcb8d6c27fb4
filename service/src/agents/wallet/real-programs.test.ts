import { execute, fetchAsset } from '@metaplex-foundation/mpl-core'
import { transferSol } from '@metaplex-foundation/mpl-toolbox'
import { createNoopSigner, publicKey, lamports as toLamports } from '@metaplex-foundation/umi'
import {
  assetSignerAddress,
  delegateRecordAddress,
  executiveProfileAddress,
} from '@slipway/launch-model/addresses'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { rentFor } from '@slipway/local-chain/conditions'
import { folderWithBinaries, testRealPrograms } from '@slipway/local-chain/testing/real-programs'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import type { Address } from '@slipway/schema/address'
import { expect } from 'vitest'
import { writeLaunches } from '../../official-clients/launches-with-fees.ts'
import { postJson } from '../../testing/demo-launches.ts'
import { startTestService } from '../../testing/test-service.ts'
import { configOf, fundedWallet, getJson, type Json, land, mintBody, umiOf } from '../test-mints.ts'
import { tokenWriter } from './test-tokens.ts'

const PROGRAMS = ['MPL Core', 'MPL Agent Identity', 'MPL Agent Tools'] as const
const FEE = 5_000n
const EXECUTE = rentFor(7) - rentFor(0)
const ACCOUNT_RENT = rentFor(165)
const REWARD = 1_234_567_891n

/** An agent on the real programs, and its owner. */
async function prepare() {
  const local = await startChain({ dataDir: folderWithBinaries(PROGRAMS) })
  expect(local.realPrograms).toHaveLength(PROGRAMS.length)
  const { url } = await startTestService({ config: configOf(local) })
  const owner = fundedWallet(local)
  const post = async (path: string, body: object): Promise<Json> => {
    const answer = await postJson(`${url}/v1/${path}`, body)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const minted = await post('agents/mint', mintBody(owner.address))
  expect(await land(local, minted, owner)).toBeNull()
  const agent: Address = minted.assetAddress
  const get = async (path: string) => (await getJson(`${url}/v1/agents/${agent}/${path}`)).body.data
  return { local, owner, agent, wallet: assetSignerAddress(agent), post, get, ...tokenWriter(local) }
}

testRealPrograms(
  'rewards claimed for an agent reach its owner as native currency, to the unit',
  async () => {
    const { local, owner, agent, wallet, post, get, lamports, tokens } = await prepare()
    writeLaunches(local, [{ creator: wallet, curve: { accrued: REWARD, claimed: 0n } }])
    const claim = await post('creator-rewards/claim', { wallet, payer: owner.address })
    for (const tx of claim.data.transactions) expect(await land(local, { tx }, owner)).toBeNull()
    expect((await get('wallet')).tokens).toMatchObject([
      { mint: WRAPPED_NATIVE_MINT, amount: `${REWARD}`, known: true },
    ])
    const before = lamports(owner.address as string as Address)
    const withdraw = (amount: string) =>
      post(`agents/${agent}/withdraw`, { sender: owner.address, mint: WRAPPED_NATIVE_MINT, amount })
    expect(await land(local, await withdraw('0.000000001'), owner)).toBeNull()
    expect(tokens(wallet, WRAPPED_NATIVE_MINT)).toBe(REWARD - 1n)
    expect(await land(local, await withdraw('all'), owner)).toBeNull()
    expect(lamports(owner.address as string as Address)).toBe(
      before + REWARD + ACCOUNT_RENT - 2n * FEE - 4n * EXECUTE,
    )
    expect([lamports(wallet), tokens(wallet, WRAPPED_NATIVE_MINT)]).toEqual([0n, undefined])
  },
  { programs: [...PROGRAMS] },
)

testRealPrograms(
  'a delegate is listed before it moves everything that the wallet holds',
  async () => {
    const { local, owner, agent, wallet, post, get, lamports } = await prepare()
    local.airdrop(wallet as never, REWARD)
    const delegate = fundedWallet(local)
    const executive = delegate.address as string as Address
    expect(await land(local, await post('executives/register', { wallet: executive }), delegate)).toBeNull()
    const appointed = await post(`agents/${agent}/delegate`, { sender: owner.address, executive })
    expect(await land(local, appointed, owner)).toBeNull()
    const profile = executiveProfileAddress(executive)
    const record = delegateRecordAddress(profile, agent)
    expect(await get('delegates')).toEqual({
      delegates: [{ record, executive: profile, wallet: executive, since: null, byFormerOwner: false }],
      total: 1,
    })
    const umi = umiOf(local, delegate)
    const take = transferSol(umi, {
      source: createNoopSigner(publicKey(wallet)),
      destination: umi.identity.publicKey,
      amount: toLamports(REWARD),
    })
    const asset = await fetchAsset(umi, publicKey(agent))
    await execute(umi, {
      asset,
      instructions: take,
      executionDelegateRecord: publicKey(record),
    }).sendAndConfirm(umi)
    expect(lamports(wallet)).toBe(0n)
    // The public binary can't revoke: the simulation says so.
    const revoked = { sender: owner.address, record }
    await expect(post(`agents/${agent}/revoke`, revoked)).rejects.toThrow('409')
  },
  { programs: [...PROGRAMS] },
)
