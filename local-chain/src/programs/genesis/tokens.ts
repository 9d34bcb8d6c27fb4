import type { AccountRef, Invocation } from '../stand-in.ts'
import { ASSOCIATED_TOKEN_PROGRAM } from './checks.ts'
import { genesisError } from './errors.ts'

const readonlyRef = (ref: AccountRef): AccountRef => ({ ...ref, isSigner: false, isWritable: false })
const writableRef = (ref: AccountRef): AccountRef => ({ ...ref, isSigner: false, isWritable: true })

/** Creates the token account if it is missing; the payer pays its rent. */
export function ensureTokenAccount(
  ctx: Invocation,
  accounts: Record<'account' | 'owner' | 'mint' | 'payer' | 'tokenProgram' | 'systemProgram', AccountRef>,
): void {
  if ((ctx.read(accounts.account.address)?.data.length ?? 0) > 0) return
  ctx.invoke({
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
  })
}

/** Transfers tokens. The program signs for `authority`, which is one of its derived addresses. */
export function moveTokens(
  ctx: Invocation,
  accounts: Record<'from' | 'to' | 'mint' | 'authority' | 'tokenProgram', AccountRef>,
  amount: bigint,
): void {
  const decimals = ctx.read(accounts.mint.address)?.data[44]
  if (decimals === undefined) throw genesisError('InvalidQuoteMint')
  const data = new Uint8Array(10)
  // TransferChecked
  data[0] = 12
  new DataView(data.buffer).setBigUint64(1, amount, true)
  data[9] = decimals
  ctx.invoke(
    {
      program: accounts.tokenProgram.address,
      accounts: [
        writableRef(accounts.from),
        readonlyRef(accounts.mint),
        writableRef(accounts.to),
        { ...accounts.authority, isSigner: true, isWritable: false },
      ],
      data,
    },
    [accounts.authority.address],
  )
}
