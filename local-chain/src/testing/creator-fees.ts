import {
  claimBondingCurveCreatorFeeV2,
  claimRaydiumCreatorFeeV2,
  collectRaydiumCpmmFeesWithCreatorFeeV2,
  deriveRaydiumPDAsV2,
} from '@metaplex-foundation/genesis'
import { publicKey } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import { blankPool, encodePoolFees } from '../programs/genesis/pool-state.ts'
import { buildLaunchAccounts, type LaunchPlan, WRAPPED_SOL } from '../world/launch-accounts.ts'
import { launchAddresses } from '../world/launch-addresses.ts'
import { associatedToken, buildMint, buildTokenAccount } from '../world/token-accounts.ts'
import { startChain } from './start-chain.ts'
import { asAddress, signer, wallet } from './umi-wallet.ts'

/** A chain, a creator, and launches that owe the creator fees. */
export async function startWithCreatorFees() {
  const local = await startChain()
  const umi = wallet(local)
  const creator = asAddress(signer(umi).publicKey)
  const rent = (size: number) => local.chain.vm.rentExemptMinimum(size)
  const tokens = (owner: Address, mint: Address = WRAPPED_SOL) =>
    decodeTokenAccount(local.chain.account(associatedToken(mint, owner)))?.amount

  function writeLaunch(plan: Partial<LaunchPlan> = {}, poolFees?: { base: bigint; quote: bigint }) {
    const mint = asAddress(signer(umi).publicKey)
    const full: LaunchPlan = {
      mechanic: 'bondingCurveV2',
      mint,
      authority: asAddress(umi.payer.publicKey),
      startTime: 0,
      endTime: 0,
      supply: 1_000_000_000_000_000n,
      depositedLamports: 5_000_000_000n,
      creatorWallet: creator,
      ...plan,
    }
    const at = launchAddresses(mint, full.mechanic)
    const raydium = deriveRaydiumPDAsV2(umi, publicKey(mint), publicKey(at.amm), {
      creatorFee: true,
      env: 'mainnet',
    })
    const changes = buildLaunchAccounts(full, rent)
    changes.set(mint, buildMint(undefined, full.supply, 6, rent))
    changes.set(
      associatedToken(WRAPPED_SOL, at.primary),
      buildTokenAccount(WRAPPED_SOL, at.primary, 5_000_000_000n, rent),
    )
    if (poolFees) {
      const fees = raydium.isProjectMintToken0
        ? [poolFees.base, poolFees.quote]
        : [poolFees.quote, poolFees.base]
      const data = encodePoolFees(
        blankPool(raydium.token0Mint, raydium.token1Mint),
        fees[0] as bigint,
        fees[1] as bigint,
      )
      changes.set(at.pool, {
        lamports: rent(data.length),
        owner: asAddress(raydium.raydiumProgram),
        data,
        executable: false,
      })
      const authority = asAddress(raydium.poolAuthority)
      changes.set(
        asAddress(raydium.quoteVault),
        buildTokenAccount(WRAPPED_SOL, authority, 9_000_000_000n, rent),
      )
      changes.set(asAddress(raydium.baseVault), buildTokenAccount(mint, authority, 1_000_000n, rent))
    }
    if (full.amm) {
      changes.set(
        associatedToken(WRAPPED_SOL, at.ammSigner),
        buildTokenAccount(WRAPPED_SOL, at.ammSigner, full.amm.accrued - full.amm.claimed, rent),
      )
    }
    local.chain.writeAccounts(changes)
    return { ...at, mint, raydium }
  }
  type Launch = ReturnType<typeof writeLaunch>
  const claimCurve = (at: Launch, more: object = {}) =>
    claimBondingCurveCreatorFeeV2(umi, {
      genesisAccount: publicKey(at.genesis),
      bucket: publicKey(at.primary),
      baseMint: publicKey(at.mint),
      creatorFeeWallet: publicKey(creator),
      ...more,
    })
  const claimPool = (at: Launch, more: object = {}) =>
    claimRaydiumCreatorFeeV2(umi, {
      genesisAccount: publicKey(at.genesis),
      bucket: publicKey(at.amm),
      baseMint: publicKey(at.mint),
      creatorFeeWallet: publicKey(creator),
      ...more,
    })
  const collect = (at: Launch, more: object = {}) =>
    collectRaydiumCpmmFeesWithCreatorFeeV2(umi, {
      ...at.raydium,
      baseMint: publicKey(at.mint),
      genesisAccount: publicKey(at.genesis),
      raydiumCpmmBucket: publicKey(at.amm),
      ...more,
    })

  return { local, umi, creator, rent, tokens, writeLaunch, claimCurve, claimPool, collect }
}
