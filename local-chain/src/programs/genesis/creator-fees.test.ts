import { RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET } from '@metaplex-foundation/genesis'
import { publicKey } from '@metaplex-foundation/umi'
import { WRAPPED_NATIVE_MINT as WRAPPED_SOL } from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import { expect, test } from 'vitest'
import { startWithCreatorFees } from '../../testing/creator-fees.ts'
import { associatedToken, buildTokenAccount } from '../../testing/token-accounts.ts'
import { asAddress, custom, send, signer } from '../../testing/umi-wallet.ts'

test('collect refuses accounts that do not belong to the pool', async () => {
  const { local, umi, writeLaunch, collect } = await startWithCreatorFees()
  const at = writeLaunch({
    amm: { graduatedAt: 1, accrued: 0n, claimed: 0n },
    pool: { base: 0n, quote: 2_000_000n },
  })
  const other = writeLaunch({
    amm: { graduatedAt: 1, accrued: 0n, claimed: 0n },
    pool: { base: 0n, quote: 2_000_000n },
  })
  expect((await send(local, umi, collect(at, { poolState: publicKey(other.pool) }))).err).toEqual(custom(219))
  expect((await send(local, umi, collect(at, { raydiumProgram: umi.payer.publicKey }))).err).toEqual(
    custom(137),
  )
  expect((await send(local, umi, collect(at, { bucketSigner: umi.payer.publicKey }))).err).toEqual(
    custom(136),
  )
  expect((await send(local, umi, collect(at, { ammConfig: umi.payer.publicKey }))).err).toEqual(custom(2012))
  const devnet = publicKey(RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET)
  expect((await send(local, umi, collect(at, { raydiumProgram: devnet }))).err).toEqual(custom(206))
})

test("collected fees can go only to the bucket and to the pool's signer", async () => {
  const { local, umi, rent, tokens, writeLaunch, collect } = await startWithCreatorFees()
  const at = writeLaunch({
    amm: { graduatedAt: 1, accrued: 0n, claimed: 0n },
    pool: { base: 40n, quote: 2_000_000n },
  })
  const attacker = asAddress(umi.payer.publicKey)
  const theirs = (mint: Address) => publicKey(associatedToken(mint, attacker))
  local.chain.writeAccounts(
    new Map(
      [WRAPPED_SOL, at.mint].map(mint => [
        asAddress(theirs(mint)),
        buildTokenAccount(mint, attacker, 0n, rent),
      ]),
    ),
  )
  const taking = (more: object) => send(local, umi, collect(at, more))
  expect((await taking({ bucketSignerQuoteTokenAccount: theirs(WRAPPED_SOL) })).err).toEqual(custom(143))
  expect((await taking({ raydiumSignerBaseTokenAccount: theirs(at.mint) })).err).toEqual(custom(2015))
  expect([tokens(attacker), tokens(attacker, at.mint)]).toEqual([0n, 0n])
})

test("collect takes only from the pool's own vaults", async () => {
  const { local, umi, rent, tokens, writeLaunch, collect } = await startWithCreatorFees()
  const at = writeLaunch({
    amm: { graduatedAt: 1, accrued: 0n, claimed: 0n },
    pool: { base: 0n, quote: 2_000_000n },
  })
  const other = writeLaunch({
    amm: { graduatedAt: 1, accrued: 0n, claimed: 0n },
    pool: { base: 0n, quote: 2_000_000n },
  })
  const victim = asAddress(signer(umi).publicKey)
  const theirs = associatedToken(WRAPPED_SOL, victim)
  local.chain.writeAccounts(new Map([[theirs, buildTokenAccount(WRAPPED_SOL, victim, 5_000_000_000n, rent)]]))
  const robbery = { quoteVault: publicKey(theirs), poolAuthority: publicKey(victim) }
  expect((await send(local, umi, collect(at, robbery))).err).toEqual(custom(2006))
  for (const vault of [{ quoteVault: other.raydium.quoteVault }, { baseVault: other.raydium.baseVault }]) {
    expect((await send(local, umi, collect(at, vault))).err).toEqual(custom(2003))
  }
  expect(tokens(victim)).toBe(5_000_000_000n)
  expect(tokens(at.ammSigner)).toBe(0n)
})
