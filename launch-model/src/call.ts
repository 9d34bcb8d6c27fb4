import type { Address } from '@slipway/schema/address'
import { type Codec, constant, decodeWhole, encode, type Reader, type Writer } from './bytes/codec.ts'

/** An instruction of a program. Its data begins with the bytes that say which instruction it is. */
export interface CallKind<Name extends string = string, Args = unknown> {
  readonly name: Name
  readonly program: Address
  readonly first: readonly number[]
  readonly codec: Codec<Args>
}

/** An instruction before it is encoded: its arguments and its accounts. */
export interface Call<Name extends string = string, Args = unknown> {
  kind: CallKind<Name, Args>
  args: Args
  accounts: readonly CallAccount[]
  /** Lamports that the program takes from the payer for good, besides rent. */
  charges?: bigint
}

export interface CallAccount {
  address: Address
  role: number
  /** What the account is for, in words that can follow “as”. */
  name: string
  /** Set if the instruction creates the account where it is missing. The payer of the transaction pays its rent. */
  opens?: Opening | undefined
}

export interface Opening {
  bytes: number
  /** Who can have the account closed, and so gets its rent. Without one, the rent stays there for good. */
  closer?: Address | undefined
}

/** As it is sent to a program. */
export interface Instruction {
  program: Address
  accounts: readonly Pick<CallAccount, 'address' | 'role'>[]
  data: Uint8Array
}

/** Numbered so that OR merges two roles, and accounts with a higher role come first. */
export const READONLY = 0
export const WRITABLE = 1
export const READONLY_SIGNER = 2
export const WRITABLE_SIGNER = 3

type Make = (address: Address, name?: string) => CallAccount
const withRole =
  (role: number): Make =>
  (address, name = '') => ({ address, role, name })
export const readonly = withRole(READONLY)
export const writable = withRole(WRITABLE)
export const readonlySigner = withRole(READONLY_SIGNER)
export const writableSigner = withRole(WRITABLE_SIGNER)
/** The same account, for an instruction that a program signs for. */
export const unsigned = (account: CallAccount): CallAccount => ({ ...account, role: account.role & WRITABLE })
/** An account that the instruction creates where it is missing. */
export const opened = (address: Address, name: string, opens: Opening): CallAccount => ({
  ...writable(address, name),
  opens,
})

export const defineCall = <const Name extends string, Args>(
  name: Name,
  program: Address,
  first: number | readonly number[],
  codec: Codec<Args>,
): CallKind<Name, Args> => {
  const bytes = typeof first === 'number' ? [first] : first
  return { name, program, first: bytes, codec: prefixed(bytes, codec) }
}

export const call = <Name extends string, Args>(
  kind: CallKind<Name, Args>,
  args: Args,
  accounts: readonly CallAccount[],
): Call<Name, Args> => ({ kind, args, accounts })

export const encodeCall = ({ kind, args, accounts }: Call): Instruction => ({
  program: kind.program,
  accounts,
  data: encode(kind.codec, args),
})

/** The arguments of an instruction. Throws a RangeError if it is another instruction, or has an invalid byte. */
export const decodeCall = <Args>(kind: CallKind<string, Args>, data: Uint8Array): Args =>
  decodeWhole(kind.codec, data)

export const isOfKind = (
  { program, first }: CallKind,
  instruction: Pick<Instruction, 'program' | 'data'>,
): boolean =>
  instruction.program === program && first.every((byte, index) => instruction.data[index] === byte)

function prefixed<Args>(first: readonly number[], codec: Codec<Args>): Codec<Args> {
  const prefix = constant(first)
  return {
    size: undefined,
    read(from: Reader) {
      prefix.read(from)
      return codec.read(from)
    },
    write(args: Args, to: Writer) {
      prefix.write(undefined, to)
      codec.write(args, to)
    },
  }
}
