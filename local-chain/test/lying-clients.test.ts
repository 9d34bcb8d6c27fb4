import { createV2 } from '@metaplex-foundation/mpl-core'
import { transferSol } from '@metaplex-foundation/mpl-toolbox'
import { generateSigner, publicKey, sol } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { expect, test } from 'vitest'
import { type LocalChain, startLocalChain } from '../src/index.ts'
import { createKeypair, type Keypair } from '../src/ledger/keypair.ts'
import { parseTransaction } from '../src/ledger/parse-transaction.ts'
import { signTransaction } from '../src/ledger/sign-transaction.ts'
import { systemTransfer } from '../src/ledger/system-instructions.ts'
import { associatedToken } from '../src/world/token-accounts.ts'
import { send, wallet } from './programs/on-chain.ts'
import { call, startChain, submit, temporaryFolder } from './start-chain.ts'

const SOL = 1_000_000_000n

function funded(local: LocalChain): Keypair {
  const key = createKeypair()
  local.airdrop(key.address, SOL)
  return key
}

test('a message that was signed twice, with another signature each time, is a repeat too', async () => {
  const local = await startChain()
  const from = funded(local)
  const tx = parseTransaction(
    signTransaction(
      [from],
      [systemTransfer(from.address, createKeypair().address, 1_000_000n)],
      local.chain.clock.blockhash(local.chain.clock.slot()),
    ),
  )
  expect(local.chain.precheck(tx)).toBeUndefined()
  expect(local.chain.submit(tx).err).toBeNull()
  const signature = createKeypair().address
  expect(local.chain.precheck({ ...tx, signature })).toBe('AlreadyProcessed')
})

test('what is refused before it runs leaves no trace, although it was sent unseen', async () => {
  const local = await startChain()
  const [rich, poor] = [funded(local), createKeypair()]
  const nowhere = { program: createKeypair().address, accounts: [], data: new Uint8Array() }
  const count = local.chain.history.count()
  const blockhash = local.chain.clock.blockhash(local.chain.clock.slot())
  for (const [payer, instruction] of [
    [poor, systemTransfer(poor.address, rich.address, 1n)],
    [rich, nowhere],
  ] as const) {
    const wire = Buffer.from(signTransaction([payer], [instruction], blockhash)).toString('base64')
    const { result } = await call(local, 'sendTransaction', wire, { encoding: 'base64', skipPreflight: true })
    const status = await call(local, 'getSignatureStatuses', [result], { searchTransactionHistory: true })
    expect(status).toMatchObject({ result: { value: [null] } })
  }
  expect(local.chain.history.count()).toBe(count)
  expect(local.chain.account(rich.address)?.lamports).toBe(SOL)
})

test('a faucet that is asked for more than there is goes on', async () => {
  const local = await startChain()
  const { address } = createKeypair()
  for (let n = 0; n < 60; n++)
    expect((await call(local, 'requestAirdrop', address, 1.8e19)).error).toMatchObject({ code: -32002 })
  expect((await call(local, 'requestAirdrop', address, 1_000_000)).error).toBeUndefined()
  expect(local.chain.account(address)?.lamports).toBe(1_000_000n)
})

test('money that is sent to what the machine brings along is there, and is there after a restart', async () => {
  const dataDir = temporaryFolder()
  const first = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0 })
  const from = funded(first)
  const places = [
    'So11111111111111111111111111111111111111112',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  ] as Address[]
  const lamports = (local: LocalChain) => places.map(place => local.chain.account(place)?.lamports ?? 0n)
  const before = lamports(first)
  const run = submit(first, from, ...places.map(place => systemTransfer(from.address, place, 1_000_000n)))
  expect(run.err).toBeNull()
  expect(lamports(first)).toEqual(before.map(amount => amount + 1_000_000n))
  const [landed] = [...first.chain.history.ofAddress(from.address)]
  expect(landed?.fee).toBe(5_000n)
  await first.close()
  const second = await startChain({ dataDir })
  expect(lamports(second)).toEqual(before.map(amount => amount + 1_000_000n))
  // The program still runs.
  const [mint, owner] = [places[0] as Address, createKeypair().address]
  const ref = (address: Address, isWritable = false) => ({ address, isSigner: false, isWritable })
  const make = {
    program: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address,
    accounts: [
      { address: from.address, isSigner: true, isWritable: true },
      ref(associatedToken(mint, owner), true),
      ref(owner),
      ref(mint),
      ref('11111111111111111111111111111111' as Address),
      ref(places[1] as Address),
    ],
    data: Uint8Array.of(1),
  }
  expect(submit(second, from, make).err).toBeNull()
})

test('a program that is stood in for stays what it is, whatever is sent to it', async () => {
  const local = await startChain()
  const from = funded(local)
  for (const program of local.chain.standIns) {
    const before = local.chain.account(program)
    const { err } = submit(local, from, systemTransfer(from.address, program, 1_000_000n))
    expect(err).toBe('InvalidWritableAccount')
    expect(local.chain.account(program)).toEqual(before)
  }
  expect(local.chain.account(from.address)?.lamports).toBe(SOL)

  // Nor beside a call of it.
  const [umi, [core]] = [wallet(local), local.chain.standIns as [Address]]
  const before = local.chain.account(core)
  const pay = transferSol(umi, { destination: publicKey(core), amount: sol(1) })
  const { err } = await send(
    local,
    umi,
    createV2(umi, { asset: generateSigner(umi), name: 'A', uri: 'u' }).add(pay),
  )
  expect(err).toEqual({ InstructionError: [1, 'ReadonlyLamportChange'] })
  expect(local.chain.account(core)).toEqual(before)
})
