import {
  findAuthorityPda,
  findTokenVaultPda,
  RAYDIUM_AMM_CONFIG_CREATOR_FEE_DEVNET,
  RAYDIUM_AMM_CONFIG_CREATOR_FEE_MAINNET,
  RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET,
  RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET,
} from '@metaplex-foundation/genesis'
import { decodeTokenAccount } from '../../ledger/token-balances.ts'
import { raydiumError } from '../raydium/errors.ts'
import type { AccountRef, Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { asKey } from './checks.ts'
import { genesisError } from './errors.ts'

const PROGRAMS: string[] = [RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET, RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET]

export function assertRaydiumProgram({ address }: AccountRef): void {
  if (!PROGRAMS.includes(address)) throw genesisError('InvalidRaydiumProgram')
}

/** Throws unless the accounts are the pool's own, because it may pay only from its own vaults. */
export function assertPoolAccounts(
  ctx: Invocation,
  accounts: Record<
    | 'raydiumProgram'
    | 'poolState'
    | 'poolAuthority'
    | 'ammConfig'
    | 'baseMint'
    | 'baseVault'
    | 'quoteMint'
    | 'quoteVault'
    | 'raydiumSigner'
    | 'raydiumSignerBaseTokenAccount',
    AccountRef
  >,
): void {
  const is = (ref: AccountRef, key: string) => (ref.address as string) === key
  const program = asKey(accounts.raydiumProgram.address)
  const pool = asKey(accounts.poolState.address)
  const vaultOf = (mint: AccountRef) => findTokenVaultPda(umi, program, pool, asKey(mint.address))[0]
  if (!is(accounts.poolAuthority, findAuthorityPda(umi, program)[0])) throw raydiumError('ConstraintSeeds')
  const config =
    program === RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET
      ? RAYDIUM_AMM_CONFIG_CREATOR_FEE_DEVNET
      : RAYDIUM_AMM_CONFIG_CREATOR_FEE_MAINNET
  if (!is(accounts.ammConfig, config)) throw raydiumError('ConstraintAddress')
  if (!is(accounts.baseVault, vaultOf(accounts.baseMint))) throw raydiumError('ConstraintRaw')
  if (!is(accounts.quoteVault, vaultOf(accounts.quoteMint))) throw raydiumError('ConstraintRaw')
  const base = decodeTokenAccount(ctx.read(accounts.raydiumSignerBaseTokenAccount.address))
  if (base && base.owner !== accounts.raydiumSigner.address) throw raydiumError('ConstraintTokenOwner')
}
