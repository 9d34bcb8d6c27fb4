import {
  assetSignerAddress,
  delegateRecordAddress,
  executiveProfileAddress,
} from '@slipway/launch-model/addresses'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import type { Address } from '@slipway/schema/address'
import { SystemProgram } from '@solana/web3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { configOf, fundedWallet, land, mintBody } from '../../service/src/agents/test-mints.ts'
import { tokenWriter } from '../../service/src/agents/wallet/test-tokens.ts'
import { postJson } from '../../service/src/testing/demo-launches.ts'
import { startTestService } from '../../service/src/testing/test-service.ts'
import { readFacts } from '../src/transactions/facts.ts'
import { type Intent, UnexpectedTransactionError } from '../src/transactions/review.ts'
import {
  effectOf,
  fromBase64,
  MALLORY,
  mallory,
  messageStart,
  type ReviewCase,
  rebuild,
  refusalOf,
  reviewOf,
} from './test-rebuild.ts'

const SOL = 1_000_000_000n

/** Transactions of a running service that move tokens of an agent, or change who can spend them. */
async function collect() {
  const local = await startChain()
  const { url } = await startTestService({ config: configOf(local) })
  const [key, delegateKey] = [fundedWallet(local), fundedWallet(local)]
  const [wallet, executive] = [key.address, delegateKey.address] as string[] as [Address, Address]
  const post = async (path: string, body: object) => (await postJson(`${url}/v1/${path}`, body)).body
  const minted = await post('agents/mint', mintBody(wallet))
  await land(local, minted, key)
  const agent: Address = minted.assetAddress
  const agentWallet = assetSignerAddress(agent)
  const { mint, hold } = tokenWriter(local)
  const token = mint({ decimals: 6 })
  hold(agentWallet, token, 5_000_000n)
  hold(agentWallet, token, 3_000_000n, { address: createKeypair().address as string as Address })
  hold(wallet, token, 9_000_000n)
  hold(agentWallet, WRAPPED_NATIVE_MINT, 2n * SOL)
  const caseOf = async (path: string, body: object, intent: object, by = wallet): Promise<ReviewCase> => {
    const { tx } = await post(path, body)
    const facts = await readFacts(
      { rpcUrl: local.rpcUrl, network: 'chain-mainnet', signal: AbortSignal.timeout(60_000) },
      intent as Intent,
      by,
    )
    return { wire: fromBase64(tx), intent: intent as Intent, wallet: by, facts }
  }
  const move = { agent, agentWallet, mint: token, decimals: 6 }
  const wrapped = { ...move, mint: WRAPPED_NATIVE_MINT, decimals: 9 }
  const withdraw = (body: object, intent: object) =>
    caseOf(`agents/${agent}/withdraw`, { sender: wallet, ...body }, { kind: 'withdraw-token', ...intent })
  const fund = (body: object, intent: object) =>
    caseOf(
      `agents/${agent}/fund`,
      { sender: wallet, memo: 'Tide', ...body },
      { kind: 'fund-token', memo: 'Tide', ...intent },
    )
  const register = await caseOf(
    'executives/register',
    { wallet: executive },
    { kind: 'register-executive' },
    executive,
  )
  await land(local, await post('executives/register', { wallet: executive }), delegateKey)
  const appointed = { sender: wallet, executive }
  const delegate = await caseOf(`agents/${agent}/delegate`, appointed, { kind: 'delegate', agent, executive })
  await land(local, await post(`agents/${agent}/delegate`, appointed), key)
  const record = delegateRecordAddress(executiveProfileAddress(executive), agent)
  const revoked = { kind: 'revoke', agent, delegate: executive }
  return {
    tokens: await withdraw({ mint: token, amount: '7.5' }, { ...move, amount: 7_500_000n }),
    unwrapAll: await withdraw({ mint: WRAPPED_NATIVE_MINT, amount: 'all' }, { ...wrapped, amount: 'all' }),
    unwrapPart: await withdraw(
      { mint: WRAPPED_NATIVE_MINT, amount: '0.5' },
      { ...wrapped, amount: SOL / 2n },
    ),
    fundTokens: await fund({ mint: token, amount: '1.25' }, { ...move, amount: 1_250_000n }),
    fundWrapped: await fund({ mint: WRAPPED_NATIVE_MINT, amount: '0.5' }, { ...wrapped, amount: SOL / 2n }),
    register,
    delegate,
    revoke: await caseOf(`agents/${agent}/revoke`, { sender: wallet, record }, revoked),
  }
}
let collected: ReturnType<typeof collect> | undefined
const cases = () => {
  collected ??= collect()
  return collected
}

test('the page says what each of them does', async () => {
  const texts: Record<string, string[]> = {}
  for (const [name, one] of Object.entries(await cases()))
    texts[name] = (await reviewOf(one)).steps.map(({ text }) => text.replaceAll(/\w{4}…\w{4}/g, '…'))
  expect(texts).toEqual({
    tokens: [
      'Open your wallet’s account for …, if needed',
      'Move 7.5 of the token … from the agent’s wallet … to your wallet',
    ],
    unwrapAll: [
      'Turn all wrapped SOL in the agent’s account … into SOL in your wallet, and close the account',
    ],
    unwrapPart: [
      'Turn 0.5 SOL of the agent’s wrapped SOL into SOL in your wallet',
      'Wrap the rest again, in the same account of the agent',
    ],
    fundTokens: [
      'Open …’s account for …, if needed',
      'Move 1.25 of the token … from your wallet to the agent’s wallet …',
      'Publish the note “Tide” with it',
    ],
    fundWrapped: [
      'Open …’s account for wrapped SOL, if needed',
      'Move 0.5 SOL from your wallet, as wrapped SOL, to the agent’s wallet …',
      'Publish the note “Tide” with it',
    ],
    register: ['Register your wallet as an executive, so that owners can appoint it'],
    delegate: ['Let … move everything that the agent’s wallet holds, until it is revoked'],
    revoke: ['Stop … from spending what the agent’s wallet holds'],
  })
})

test('another amount, agent, token, delegate or kind than was asked for is refused', async () => {
  const all = await cases()
  const asked = (one: ReviewCase, change: object) =>
    refusalOf({ ...one, intent: { ...one.intent, ...change } as Intent })
  const other = createKeypair().address
  for (const one of [all.tokens, all.unwrapPart, all.fundTokens, all.fundWrapped]) {
    expect(await asked(one, { amount: 1n })).toMatch(/This page expected|more than this page said/)
    expect(await asked(one, { agent: other })).toMatch(/\w/)
    expect(await asked(one, { mint: other })).toMatch(/\w/)
  }
  expect(await asked(all.tokens, { decimals: 9 })).toMatch(/9 decimals .* It has 6/)
  expect(await asked(all.unwrapAll, { amount: SOL })).toMatch(/less than this page said/)
  expect(await asked(all.unwrapPart, { amount: 'all' })).toMatch(/more than this page said/)
  expect(await asked(all.delegate, { executive: other })).toMatch(/profile/)
  expect(await asked(all.revoke, { delegate: other })).toMatch(/as the record/)
  expect(await refusalOf({ ...all.revoke, intent: all.delegate.intent })).toMatch(/didn’t expect/)
  expect(await refusalOf({ ...all.register, intent: all.delegate.intent })).toMatch(/\w/)
})

test('whoever adds an instruction, or is put in the place of the recipient, is refused', async () => {
  for (const one of Object.values(await cases())) {
    const added = rebuild(one.wire, parts => {
      const fromPubkey = parts.payerKey
      parts.instructions.push(SystemProgram.transfer({ fromPubkey, toPubkey: mallory, lamports: 1 }))
    })
    expect(await refusalOf({ ...one, wire: added })).toMatch(/\w/)
  }
  const { unwrapAll } = await cases()
  const stolen = rebuild(unwrapAll.wire, ({ instructions }) => {
    const close = instructions.at(-1)
    const recipient = close?.keys[8]
    if (recipient) recipient.pubkey = mallory
  })
  expect(await refusalOf({ ...unwrapAll, wire: stolen })).toContain(MALLORY)
})

test('with one changed byte it is refused, or has the same effect', async () => {
  const all = Object.values(await cases())
  const words = async (one: ReviewCase) =>
    reviewOf(one).then(
      review => JSON.stringify(review, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      (error: unknown) => {
        if (error instanceof UnexpectedTransactionError) return undefined
        throw error
      },
    )
  expect(await Promise.all(all.map(words))).not.toContain(undefined)
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: all.length - 1 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (number, at, mask) => {
        const one = all[number] as ReviewCase
        const start = messageStart(one.wire)
        const index = start + (at % (one.wire.length - start))
        const wire = one.wire.with(index, (one.wire[index] as number) ^ mask)
        if (await words({ ...one, wire })) expect(effectOf(wire)).toBe(effectOf(one.wire))
      },
    ),
    { numRuns: 200 },
  )
})
