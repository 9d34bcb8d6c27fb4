import { findAssociatedTokenPda } from '@metaplex-foundation/mpl-toolbox'
import type { PublicKey } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { bytesOf } from '../../ledger/address-bytes.ts'
import { decodeTokenAccount } from '../../ledger/token-balances.ts'
import { memoize } from '../../memoize.ts'
import { type AccountRef, type Invocation, ProgramError } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { ASSOCIATED_TOKEN_PROGRAM, asKey, genesisError } from './checks.ts'

const readonlyRef = (ref: AccountRef): AccountRef => ({ ...ref, isSigner: false, isWritable: false })
const writableRef = (ref: AccountRef): AccountRef => ({ ...ref, isSigner: false, isWritable: true })

/**
 * Throws unless the account is the associated token account of its owner. The real program derives the address that
 * it pays to, so it fails if the instruction passes another account.
 */
export function assertAssociated(
  accounts: Record<'account' | 'owner' | 'mint' | 'tokenProgram', AccountRef>,
): void {
  const { account, owner, mint, tokenProgram } = accounts
  const expected = associatedAddress(`${mint.address} ${owner.address} ${tokenProgram.address}`)
  if (expected !== asKey(account.address)) throw new ProgramError('MissingAccount')
}

const associatedAddress = memoize(10_000, (name: string): PublicKey => {
  const [mint, owner, tokenProgramId] = name.split(' ') as [PublicKey, PublicKey, PublicKey]
  return findAssociatedTokenPda(umi, { mint, owner, tokenProgramId })[0]
})

/**
 * Creates the token account if it is missing; the payer pays its rent. `derivedSigners` has the payer if it is a
 * derived address of the program.
 */
export function ensureTokenAccount(
  ctx: Invocation,
  accounts: Record<'account' | 'owner' | 'mint' | 'payer' | 'tokenProgram' | 'systemProgram', AccountRef>,
  derivedSigners: readonly Address[] = [],
): void {
  if ((ctx.read(accounts.account.address)?.data.length ?? 0) > 0) return
  ctx.invoke(
    {
      program: ASSOCIATED_TOKEN_PROGRAM,
      accounts: [
        { ...accounts.payer, isSigner: true, isWritable: true },
        writableRef(accounts.account),
        readonlyRef(accounts.owner),
        readonlyRef(accounts.mint),
        readonlyRef(accounts.systemProgram),
        readonlyRef(accounts.tokenProgram),
      ],
      // CreateIdempotent
      data: Uint8Array.of(1),
    },
    derivedSigners,
  )
}

/** Initializes a mint whose mint and freeze authority is a derived address of the program. */
export function initializeMint(
  ctx: Invocation,
  { mint, authority, tokenProgram }: Record<'mint' | 'authority' | 'tokenProgram', AccountRef>,
  decimals: number,
): void {
  const key = bytesOf(authority.address)
  ctx.invoke({
    program: tokenProgram.address,
    accounts: [writableRef(mint)],
    // InitializeMint2
    data: Uint8Array.from([20, decimals, ...key, 1, ...key]),
  })
}

/** Initializes a token account that has been created with the right size and owner. */
export function initializeTokenAccount(
  ctx: Invocation,
  { account, mint, owner, tokenProgram }: Record<'account' | 'mint' | 'owner' | 'tokenProgram', AccountRef>,
): void {
  ctx.invoke({
    program: tokenProgram.address,
    accounts: [writableRef(account), readonlyRef(mint)],
    // InitializeAccount3
    data: Uint8Array.from([18, ...bytesOf(owner.address)]),
  })
}

/** Mints tokens. The program signs for `authority`, which is one of its derived addresses. */
export function mintTokens(
  ctx: Invocation,
  { mint, to, authority, tokenProgram }: Record<'mint' | 'to' | 'authority' | 'tokenProgram', AccountRef>,
  amount: bigint,
): void {
  const data = new Uint8Array(9)
  // MintTo
  data[0] = 7
  new DataView(data.buffer).setBigUint64(1, amount, true)
  ctx.invoke(
    {
      program: tokenProgram.address,
      accounts: [writableRef(mint), writableRef(to), { ...authority, isSigner: true, isWritable: false }],
      data,
    },
    [authority.address],
  )
}

type Closed = Record<'account' | 'owner' | 'receiver' | 'tokenProgram', AccountRef>

/** Closes a user's token account that holds nothing. The user must have signed. */
export function closeIfEmpty(ctx: Invocation, accounts: Closed): void {
  if (decodeTokenAccount(ctx.read(accounts.account.address))?.amount === 0n) closeAccount(ctx, accounts)
}

/** Closes a token account. `derivedSigners` has its owner if that is a derived address of the program. */
export function closeAccount(
  ctx: Invocation,
  { account, owner, receiver, tokenProgram }: Closed,
  derivedSigners: readonly Address[] = [],
): void {
  ctx.invoke(
    {
      program: tokenProgram.address,
      accounts: [
        writableRef(account),
        writableRef(receiver),
        { ...owner, isSigner: true, isWritable: false },
      ],
      // CloseAccount
      data: Uint8Array.of(9),
    },
    derivedSigners,
  )
}

const U64_MAX = 2n ** 64n - 1n

type Transfer = Record<'from' | 'to' | 'authority' | 'tokenProgram', AccountRef>

/** Transfers tokens. The program signs for `authority`, which is one of its derived addresses. */
export const moveTokens = (ctx: Invocation, accounts: Transfer, amount: bigint): void =>
  transfer(ctx, accounts, amount, [accounts.authority.address])

/** Transfers tokens of a user, whose signature the instruction must have. */
export const takeTokens = (ctx: Invocation, accounts: Transfer, amount: bigint): void =>
  transfer(ctx, accounts, amount, [])

/** Transfers tokens as Raydium does, naming their mint. The program signs for the addresses in `derivedSigners`. */
export function transferChecked(
  ctx: Invocation,
  { from, mint, to, authority, tokenProgram }: Transfer & Record<'mint', AccountRef>,
  { amount, decimals }: { amount: bigint; decimals: number },
  derivedSigners: readonly Address[],
): void {
  const data = new Uint8Array(10)
  // TransferChecked
  data[0] = 12
  new DataView(data.buffer).setBigUint64(1, amount, true)
  data[9] = decimals
  ctx.invoke(
    {
      program: tokenProgram.address,
      accounts: [
        writableRef(from),
        readonlyRef(mint),
        writableRef(to),
        { ...authority, isSigner: true, isWritable: false },
      ],
      data,
    },
    derivedSigners,
  )
}

function transfer(ctx: Invocation, accounts: Transfer, amount: bigint, derivedSigners: Address[]): void {
  if (amount === 0n) return
  if (amount < 0n || amount > U64_MAX) throw genesisError('NumericalOverflow')
  const data = new Uint8Array(9)
  // Transfer
  data[0] = 3
  new DataView(data.buffer).setBigUint64(1, amount, true)
  ctx.invoke(
    {
      program: accounts.tokenProgram.address,
      accounts: [
        writableRef(accounts.from),
        writableRef(accounts.to),
        { ...accounts.authority, isSigner: true, isWritable: false },
      ],
      data,
    },
    derivedSigners,
  )
}
