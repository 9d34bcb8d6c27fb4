import { findAgentIdentityV2Pda, registerIdentityV1 } from '@metaplex-foundation/mpl-agent-registry'
import {
  burnV1,
  createCollectionV2,
  createV2,
  executeV1,
  findAssetSignerPda,
  transferV1,
} from '@metaplex-foundation/mpl-core'
import { createNoopSigner, type KeypairSigner, publicKey } from '@metaplex-foundation/umi'
import { expect } from 'vitest'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { type Mode, startInMode, testRealPrograms } from '../testing/real-programs.ts'
import { asAddress, send, signer, wallet, wrapInExecute } from '../testing/umi-wallet.ts'

/** Runs one scenario with fixed keys and returns the result of each step and every account that it touched. */
async function runScenario(mode: Mode) {
  const local = await startInMode(mode)
  const umi = wallet(local, 1)
  const other = wallet(local, 2)
  const [collection, loose, bound, twin] = [3, 4, 5, 6].map(number => signer(umi, number)) as [
    KeypairSigner,
    KeypairSigner,
    KeypairSigner,
    KeypairSigner,
  ]
  const touched = new Set<string>()
  const outcomes: unknown[] = []
  const pda = findAssetSignerPda(umi, { asset: bound.publicKey })
  local.airdrop(asAddress(pda), 3_000_000_000n)
  // A different amount each time, because the same payment twice in one slot would be one transaction.
  let amount = 1_000_000_000n
  const pay = (by: typeof umi, more: object) => {
    const inner = systemTransfer(asAddress(pda), asAddress(other.payer.publicKey), amount--)
    return executeV1(by, {
      asset: bound.publicKey,
      programId: publicKey(inner.program),
      instructionData: inner.data,
      ...more,
    }).addRemainingAccounts([
      { pubkey: publicKey(pda), isSigner: false, isWritable: true },
      { pubkey: other.payer.publicKey, isSigner: false, isWritable: true },
    ])
  }
  const inCollection = { collection: collection.publicKey }
  const steps = [
    () =>
      send(local, umi, createCollectionV2(umi, { collection, name: 'Crew ✓', uri: 'https://a.example/c' })),
    () => send(local, umi, createV2(umi, { asset: loose, name: '', uri: '' })),
    () =>
      send(
        local,
        umi,
        createV2(umi, { asset: bound, ...inCollection, name: 'Bound 🚢', uri: 'x'.repeat(200) }),
      ),
    () =>
      send(
        local,
        umi,
        createV2(umi, { asset: twin, ...inCollection, owner: other.payer.publicKey, name: 'Twin', uri: 'u' }),
      ),
    () =>
      send(local, other, createV2(other, { asset: signer(umi, 7), ...inCollection, name: 'No', uri: 'u' })),
    () => send(local, umi, createV2(umi, { asset: twin, name: 'Again', uri: 'u' })),
    () =>
      send(
        local,
        umi,
        registerIdentityV1(umi, {
          asset: bound.publicKey,
          ...inCollection,
          agentRegistrationUri: 'https://a.example/r.json',
        }),
      ),
    () => send(local, umi, registerIdentityV1(umi, { asset: loose.publicKey, agentRegistrationUri: '' })),
    () =>
      send(
        local,
        other,
        registerIdentityV1(other, { asset: twin.publicKey, ...inCollection, agentRegistrationUri: 'u' }),
      ),
    () => send(local, umi, pay(umi, {})),
    () => send(local, other, pay(other, inCollection)),
    () => send(local, umi, pay(umi, inCollection)),
    () =>
      send(
        local,
        umi,
        transferV1(umi, { asset: bound.publicKey, ...inCollection, newOwner: other.payer.publicKey }),
      ),
    () => send(local, umi, pay(umi, { ...inCollection, payer: umi.payer })),
    () => send(local, other, pay(other, inCollection)),
    () => send(local, umi, transferV1(umi, { asset: loose.publicKey, newOwner: other.payer.publicKey })),
    () => send(local, other, burnV1(other, { asset: loose.publicKey })),
    () => send(local, other, burnV1(other, { asset: bound.publicKey, ...inCollection })),
    () => send(local, umi, burnV1(umi, { asset: twin.publicKey, ...inCollection })),
    () =>
      send(
        local,
        umi,
        registerIdentityV1(umi, { asset: signer(umi, 9).publicKey, agentRegistrationUri: 'u' }),
      ),
    () =>
      send(local, umi, transferV1(umi, { asset: signer(umi, 9).publicKey, newOwner: other.payer.publicKey })),
    () => send(local, umi, transferV1(umi, { asset: umi.payer.publicKey, newOwner: other.payer.publicKey })),
    () => send(local, umi, createCollectionV2(umi, { collection, name: 'Again', uri: 'u' })),
  ]
  // An agent that owns another, so that Core calls itself; then a call that would re-enter Core through another
  // program.
  const pet = signer(umi, 8)
  const wrapped = (builder: Parameters<typeof wrapInExecute>[2]) =>
    wrapInExecute(other, bound.publicKey, builder, inCollection)
  const agent = createNoopSigner(publicKey(pda))
  const poor = wallet(local, 10, 0n)
  const nearlyPoor = wallet(local, 11, 893_000n)
  const nested = [
    () => send(local, umi, createV2(umi, { asset: pet, owner: publicKey(pda), name: 'Pet', uri: 'u' })),
    () => send(local, other, transferV1(other, { asset: pet.publicKey, newOwner: umi.payer.publicKey })),
    () =>
      send(
        local,
        other,
        wrapped(transferV1(other, { asset: pet.publicKey, authority: agent, newOwner: umi.payer.publicKey })),
      ),
    () =>
      send(
        local,
        other,
        wrapped(
          registerIdentityV1(other, { asset: pet.publicKey, authority: agent, agentRegistrationUri: 'u' }),
        ),
      ),
    () => send(local, poor, transferV1(poor, { asset: pet.publicKey, newOwner: umi.payer.publicKey })),
    () =>
      send(
        local,
        nearlyPoor,
        transferV1(nearlyPoor, { asset: pet.publicKey, newOwner: umi.payer.publicKey }),
      ),
  ]
  steps.splice(
    steps.findIndex(step => String(step).includes('burnV1')),
    0,
    ...nested,
  )
  const identities = [loose, bound].map(({ publicKey: asset }) =>
    asAddress(findAgentIdentityV2Pda(umi, { asset })),
  )
  // A binary that creates version 1 identities charges less rent, so its payer keeps the difference.
  let extraRent = 0n
  for (const step of steps) {
    const { err, keys } = await step()
    outcomes.push(err)
    for (const key of keys?.keys ?? []) touched.add(key)
  }
  for (const address of identities) {
    const size = local.chain.account(address)?.data.length ?? 0
    extraRent += local.chain.vm.rentExemptMinimum(104) - local.chain.vm.rentExemptMinimum(size)
    touched.delete(address)
  }
  const accounts = [...touched].sort().flatMap(key => {
    const account = local.chain.account(key as never)
    if (!account || account.executable) return []
    const lamports = key === umi.payer.publicKey ? account.lamports - extraRent : account.lamports
    return [{ key, lamports, owner: account.owner, data: Buffer.from(account.data).toString('hex') }]
  })
  return { outcomes, accounts }
}

testRealPrograms(
  'the stand-ins leave the same bytes and lamports as the real programs and fail with the same errors',
  async () => {
    const [standIns, real] = [await runScenario('stand-ins'), await runScenario('real programs')]
    expect(standIns.outcomes).toEqual(real.outcomes)
    expect(standIns.accounts).toEqual(real.accounts)
    expect(real.outcomes.filter(err => err === null).length).toBeGreaterThan(10)
  },
)
