import {
  delegateExecutionV1,
  findAgentIdentityV2Pda,
  findExecutionDelegateRecordV1Pda,
  findExecutiveProfileV1Pda,
  registerExecutiveV1,
  registerIdentityV1,
  revokeExecutionV1,
} from '@metaplex-foundation/mpl-agent-registry'
import { execute, findAssetSignerPda, transferV1 } from '@metaplex-foundation/mpl-core'
import { setComputeUnitLimit } from '@metaplex-foundation/mpl-toolbox'
import type { PublicKey, TransactionBuilder, Umi } from '@metaplex-foundation/umi'
import { describe, expect, test } from 'vitest'
import type { LocalChain } from '../../start-local-chain.ts'
import { folderWithBinaries, type Mode } from '../../testing/real-programs.ts'
import { type ComparedProgram, hasBinary, REAL_PROGRAMS_TAG } from '../../testing/report-skipped.ts'
import { startChain } from '../../testing/start-chain.ts'
import {
  asAddress,
  custom,
  EXECUTE_FEE,
  lamportsOf,
  mintAsset,
  mintCollection,
  mustSend as mustSendOnce,
  pay,
  send as sendOnce,
  signer,
  wallet,
} from '../../testing/umi-wallet.ts'

const PROGRAMS: ComparedProgram[] = ['MPL Core', 'MPL Agent Identity', 'MPL Agent Tools']
const URI = 'https://agents.example/registration.json'

/** An agent with a SOL in its wallet, its owner, and a registered executive. */
async function prepare(mode: Mode, { inCollection = false } = {}) {
  const local = await (mode === 'stand-ins'
    ? startChain()
    : startChain({ dataDir: folderWithBinaries(PROGRAMS) }))
  const [owner, executive] = [wallet(local), wallet(local)]
  const collection = inCollection ? await mintCollection(local, owner) : undefined
  const asset = await mintAsset(local, owner, collection ? { collection } : {})
  const within = collection ? { collection } : {}
  await mustSend(local, owner, registerIdentityV1(owner, { asset, agentRegistrationUri: URI, ...within }))
  const [pda] = findAssetSignerPda(owner, { asset })
  local.airdrop(asAddress(pda), 1_000_000_000n)
  await mustSend(local, executive, registerExecutiveV1(executive, {}))
  const [profile] = findExecutiveProfileV1Pda(owner, { authority: executive.payer.publicKey })
  const seeds = { executiveProfile: profile, agentAsset: asset }
  const [record, bump] = findExecutionDelegateRecordV1Pda(owner, seeds)
  return { local, owner, executive, asset, pda, profile, record, bump, collection }
}

const delegate = (umi: Umi, asset: PublicKey, profile: PublicKey, more: object = {}) =>
  delegateExecutionV1(umi, {
    executiveProfile: profile,
    agentAsset: asset,
    agentIdentity: findAgentIdentityV2Pda(umi, { asset }),
    ...more,
  })

/** A payment from the agent's wallet to the signer, with a record. */
const spend = (
  umi: Umi,
  asset: PublicKey,
  {
    record,
    amount = 0.4,
    collection,
  }: { record?: PublicKey; amount?: number; collection?: PublicKey | undefined },
) => {
  const [pda] = findAssetSignerPda(umi, { asset })
  return execute(umi, {
    asset: { publicKey: asset } as never,
    ...(collection && { collection: { publicKey: collection } as never }),
    instructions: pay(umi, pda, umi.payer.publicKey, amount),
    ...(record && { executionDelegateRecord: record }),
  })
}

/** Two equal transactions on one blockhash are the same transaction. */
let sent = 0
const once = (umi: Umi, builder: TransactionBuilder) =>
  builder.add(setComputeUnitLimit(umi, { units: 400_000 + sent++ }))
const send = (local: LocalChain, umi: Umi, builder: TransactionBuilder) =>
  sendOnce(local, umi, once(umi, builder))
const mustSend = (local: LocalChain, umi: Umi, builder: TransactionBuilder) =>
  mustSendOnce(local, umi, once(umi, builder))

const dataOf = (local: LocalChain, key: unknown) => local.chain.account(asAddress(key))?.data

function declare(mode: Mode) {
  test('a registered executive can be appointed by the owner alone, once', async () => {
    const { local, owner, executive, asset, profile, record, bump } = await prepare(mode)
    expect([...(dataOf(local, profile) ?? [])].slice(0, 8)).toEqual([1, 0, 0, 0, 0, 0, 0, 0])
    expect((await send(local, executive, registerExecutiveV1(executive, {}))).err).toEqual(custom(5))
    expect((await send(local, executive, delegate(executive, asset, profile))).err).toEqual(custom(10))
    await mustSend(local, owner, delegate(owner, asset, profile))
    const data = dataOf(local, record)
    expect(data).toHaveLength(104)
    expect([...(data ?? [])].slice(0, 2)).toEqual([2, bump])
    expect((await send(local, owner, delegate(owner, asset, profile))).err).toEqual(custom(7))
  })

  test('an account that is not an executive, an agent or a record is refused', async () => {
    const { local, owner, executive, asset, profile } = await prepare(mode)
    const stranger = wallet(local)
    const [unregistered] = findExecutiveProfileV1Pda(owner, { authority: stranger.payer.publicKey })
    const other = await mintAsset(local, owner)
    await mustSend(local, owner, registerIdentityV1(owner, { asset: other, agentRegistrationUri: URI }))
    const errors = []
    for (const builder of [
      delegate(owner, asset, unregistered),
      delegate(owner, executive.payer.publicKey, profile),
      delegate(owner, asset, profile, { agentIdentity: stranger.payer.publicKey }),
      delegate(owner, asset, profile, { agentIdentity: findAgentIdentityV2Pda(owner, { asset: other }) }),
      delegate(owner, asset, profile, { executionDelegateRecord: signer(owner).publicKey }),
      delegate(owner, await mintAsset(local, owner), profile),
      registerExecutiveV1(owner, { executiveProfile: unregistered }),
    ])
      errors.push((await send(local, owner, builder)).err)
    const codes = [5, 4, 9, 8, 6, 9, 11]
    expect(errors).toEqual(codes.map(code => custom(code)))
  })

  test.each([false, true])(
    'a delegate can move everything in the wallet, in a collection: %s',
    async inCollection => {
      const { local, owner, executive, asset, profile, record, pda, collection } = await prepare(mode, {
        inCollection,
      })
      expect((await send(local, executive, spend(executive, asset, { collection }))).err).toEqual(custom(26))
      await mustSend(local, owner, delegate(owner, asset, profile))
      expect((await send(local, executive, spend(executive, asset, { collection }))).err).toEqual(custom(26))
      const before = lamportsOf(local, executive.payer.publicKey)
      await mustSend(local, executive, spend(executive, asset, { record, collection, amount: 1 }))
      expect(lamportsOf(local, pda)).toBe(0n)
      expect(lamportsOf(local, executive.payer.publicKey)).toBe(
        before + 1_000_000_000n - EXECUTE_FEE - 5_000n,
      )
      const theft = transferV1(executive, {
        asset,
        newOwner: executive.payer.publicKey,
        ...(collection && { collection }),
      })
      expect((await send(local, executive, theft)).err).toEqual(custom(26))
    },
  )

  test('a record is good for its own agent and executive only, and the owner may pass one', async () => {
    const { local, owner, executive, asset, profile, record, pda } = await prepare(mode)
    await mustSend(local, owner, delegate(owner, asset, profile))
    const stranger = wallet(local)
    expect((await send(local, stranger, spend(stranger, asset, { record }))).err).toEqual(custom(26))
    const other = await mintAsset(local, owner)
    await mustSend(local, owner, registerIdentityV1(owner, { asset: other, agentRegistrationUri: URI }))
    local.airdrop(asAddress(findAssetSignerPda(owner, { asset: other })), 1_000_000_000n)
    expect((await send(local, executive, spend(executive, other, { record }))).err).toEqual(custom(26))
    await mustSend(local, owner, spend(owner, asset, { record, amount: 0.5 }))
    expect(lamportsOf(local, pda)).toBe(500_000_000n)
  })

  test('a delegation survives the sale of the agent', async () => {
    const { local, owner, executive, asset, profile, record, pda } = await prepare(mode)
    await mustSend(local, owner, delegate(owner, asset, profile))
    const buyer = wallet(local)
    await mustSend(local, owner, transferV1(owner, { asset, newOwner: buyer.payer.publicKey }))
    await mustSend(local, executive, spend(executive, asset, { record, amount: 1 }))
    expect(lamportsOf(local, pda)).toBe(0n)
  })
}

describe('agent tools, stand-ins', () => declare('stand-ins'))
describe.skipIf(!PROGRAMS.every(hasBinary))('agent tools, real programs', { tags: [REAL_PROGRAMS_TAG] }, () =>
  declare('real programs'),
)

test('the owner or the executive ends a delegation and gets its rent (stand-in only: the public binary lacks it)', async () => {
  const { local, owner, executive, asset, profile, record } = await prepare('stand-ins')
  const stranger = wallet(local)
  const revoke = (umi: Umi & { payer: { publicKey: PublicKey } }) =>
    revokeExecutionV1(umi, {
      executionDelegateRecord: record,
      agentAsset: asset,
      destination: umi.payer.publicKey,
    })
  expect((await send(local, owner, revoke(owner))).err).toEqual(custom(12))
  for (const by of [owner, executive]) {
    await mustSend(local, owner, delegate(owner, asset, profile))
    expect((await send(local, stranger, revoke(stranger))).err).toEqual(custom(13))
    const [before, rent] = [lamportsOf(local, by.payer.publicKey), lamportsOf(local, record)]
    await mustSend(local, by, revoke(by))
    expect(dataOf(local, record)).toBeUndefined()
    expect(lamportsOf(local, by.payer.publicKey)).toBe(before + rent - 5_000n)
    expect((await send(local, executive, spend(executive, asset, { record }))).err).not.toBeNull()
  }
})
