import {
  claimBondingCurveCreatorFeeV2,
  claimRaydiumCreatorFeeV2,
  collectRaydiumCpmmFeesWithCreatorFeeV2,
  deriveRaydiumPDAsV2,
} from '@metaplex-foundation/genesis'
import { publicKey } from '@metaplex-foundation/umi'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import { associatedToken } from '../world/calls.ts'
import { launchAddresses } from '../world/launch-addresses.ts'
import { startChain } from './start-chain.ts'
import { asAddress, signer, wallet } from './umi-wallet.ts'
import { type WrittenLaunch, writeLaunchAccounts } from './written-launch.ts'

/** A chain, a creator, and launches that owe the creator fees. */
export async function startWithCreatorFees() {
  const local = await startChain()
  const umi = wallet(local)
  const creator = asAddress(signer(umi).publicKey)
  const rent = (size: number) => local.chain.vm.rentExemptMinimum(size)
  const tokens = (owner: Address, mint: Address = WRAPPED_NATIVE_MINT) =>
    decodeTokenAccount(local.chain.account(associatedToken(mint, owner)))?.amount

  function writeLaunch(launch: Partial<WrittenLaunch> = {}) {
    const mint = asAddress(signer(umi).publicKey)
    const authority = asAddress(umi.payer.publicKey)
    const curve = { accrued: 0n, claimed: 0n }
    local.chain.writeAccounts(
      writeLaunchAccounts(
        { mint, authority, creator, curve, depositedLamports: 5_000_000_000n, ...launch },
        rent,
      ),
    )
    const at = launchAddresses(mint, 'bondingCurveV2')
    const raydium = deriveRaydiumPDAsV2(umi, publicKey(mint), publicKey(at.amm), {
      creatorFee: true,
      env: 'mainnet',
    })
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
