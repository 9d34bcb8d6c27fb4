import { WRAPPED_NATIVE_MINT as WRAPPED_SOL } from '@slipway/launch-model/programs'
import { Connection, PublicKey } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { rentFor } from '../../conditions.ts'
import { createKeypair } from '../../ledger/keypair.ts'
import type { LocalChain } from '../../start-local-chain.ts'
import { call, startChain } from '../../testing/start-chain.ts'
import { associatedToken, buildMint, buildTokenAccount } from '../../testing/token-accounts.ts'

/** Writes a mint with six decimals that two wallets hold; one of them also holds wrapped SOL. */
function writeHolders({ chain }: LocalChain) {
  const rent = chain.vm.rentExemptMinimum
  const [mint, rich, poor] = [createKeypair().address, createKeypair().address, createKeypair().address]
  const token = (owner: typeof rich, amount: bigint, of = mint) =>
    [associatedToken(of, owner), buildTokenAccount(of, owner, amount, rent)] as const
  chain.writeAccounts(
    new Map([
      [mint, buildMint(rich, 10_000_000n, 6, rent)],
      token(rich, 9_500_000n),
      token(poor, 500_000n),
      token(poor, 7n, WRAPPED_SOL),
    ]),
  )
  return { mint, rich, poor }
}

test("web3.js finds a wallet's tokens, parsed and by mint", async () => {
  const local = await startChain()
  const { mint, rich, poor } = writeHolders(local)
  const connection = new Connection(local.rpcUrl, 'confirmed')
  const programId = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
  const parsed = await connection.getParsedTokenAccountsByOwner(new PublicKey(poor), { programId })
  const infos = parsed.value.map(({ account }) => account.data.parsed.info)
  expect(infos.sort((a, b) => a.tokenAmount.decimals - b.tokenAmount.decimals)).toMatchObject([
    {
      mint,
      owner: poor,
      state: 'initialized',
      isNative: false,
      tokenAmount: { amount: '500000', decimals: 6, uiAmount: 0.5, uiAmountString: '0.5' },
    },
    { mint: WRAPPED_SOL, isNative: true, rentExemptReserve: { amount: `${rentFor(165)}` } },
  ])
  const byMint = await connection.getTokenAccountsByOwner(new PublicKey(poor), { mint: new PublicKey(mint) })
  expect(byMint.value.map(({ pubkey }) => pubkey.toBase58())).toEqual([associatedToken(mint, poor)])

  const account = new PublicKey(associatedToken(mint, rich))
  expect((await connection.getTokenAccountBalance(account)).value.uiAmountString).toBe('9.5')
  expect((await connection.getTokenSupply(new PublicKey(mint))).value).toMatchObject({
    amount: '10000000',
    uiAmount: 10,
  })
  const largest = await connection.getTokenLargestAccounts(new PublicKey(mint))
  expect(largest.value.map(({ amount }) => amount)).toEqual(['9500000', '500000'])
  const { value } = await connection.getParsedAccountInfo(new PublicKey(mint))
  expect(value?.data).toMatchObject({
    program: 'spl-token',
    parsed: { type: 'mint', info: { decimals: 6, mintAuthority: rich, supply: '10000000' } },
  })
})

test("accounts that are not tokens get a node's error messages", async () => {
  const local = await startChain()
  const missing = createKeypair().address
  const refused = async (method: string, ...params: unknown[]) => (await call(local, method, ...params)).error
  expect(await refused('getTokenAccountBalance', missing)).toEqual({
    code: -32602,
    message: 'Invalid param: could not find account',
  })
  const message = async (method: string, ...params: unknown[]) => (await refused(method, ...params))?.message
  const { mint, rich } = writeHolders(local)
  const [account, now] = [associatedToken(mint, rich), { commitment: 'confirmed' }]
  const wallet = createKeypair().address
  local.chain.mint(wallet, 1_000_000n)
  expect(await message('getTokenAccountBalance', mint, now)).toBe('Invalid param: not a Token account')
  expect(await message('getTokenSupply', missing, now)).toBe('Invalid param: could not find account')
  expect(await message('getTokenSupply', wallet, now)).toBe('Invalid param: not a Token mint')
  expect(await message('getTokenSupply', account, now)).toBe('Invalid param: mint could not be unpacked')
  expect(await message('getTokenLargestAccounts', missing, now)).toBe('Invalid param: could not find mint')
  expect(await message('getTokenLargestAccounts', account, now)).toBe(
    'Invalid param: Token mint could not be unpacked',
  )
  expect(await message('getTokenAccountsByOwner', missing, { programId: missing })).toBe(
    'Invalid param: unrecognized Token program id',
  )
  expect(await refused('getTokenAccountsByOwner', missing, {})).toMatchObject({ code: -32602 })
  expect(await refused('getTokenAccountsByOwner', missing, { mint: missing })).toEqual({
    code: -32602,
    message: 'Invalid param: could not find mint',
  })
})
