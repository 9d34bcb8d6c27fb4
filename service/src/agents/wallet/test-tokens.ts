import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import type { LocalChain } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { decodeTokenAccount } from '@slipway/local-chain/ledger/token-balances'
import { buildMetadata, buildMint, buildTokenAccount } from '@slipway/local-chain/testing/token-accounts'
import type { Address } from '@slipway/schema/address'

/** Of the Token-2022 program: its number, its value, and the part of it that token accounts have. */
export interface Extension {
  type: number
  value: Uint8Array
  inAccount?: { type: number; value: Uint8Array }
}

const bytes = (length: number, fill: Record<number, number> = {}) =>
  Uint8Array.from({ length }, (_, at) => fill[at] ?? 0)

/** One percent, at most 5,000 units: for an older epoch, and for the newer one. */
export const TRANSFER_FEE: Extension = {
  type: 1,
  value: (() => {
    const value = bytes(108)
    const view = new DataView(value.buffer)
    for (const at of [72, 90]) {
      view.setBigUint64(at + 8, 5_000n, true)
      view.setUint16(at + 16, 100, true)
    }
    return value
  })(),
  inAccount: { type: 2, value: bytes(8) },
}
export const NON_TRANSFERABLE: Extension = {
  type: 9,
  value: bytes(0),
  inAccount: { type: 13, value: bytes(0) },
}
export const hookTo = (program: Address | undefined): Extension => ({
  type: 14,
  value: Uint8Array.from([...bytes(32), ...(program ? addressBytes(program) : bytes(32))]),
  inAccount: { type: 15, value: bytes(1) },
})
export const pausable = (isPaused: boolean): Extension => ({
  type: 26,
  value: bytes(33, { 32: isPaused ? 1 : 0 }),
  inAccount: { type: 27, value: bytes(0) },
})

const STATE = 108
const FROZEN = 2

/** Writes tokens into a chain, as strangers could. */
export function tokenWriter({ chain }: Pick<LocalChain, 'chain'>) {
  const rent = chain.vm.rentExemptMinimum
  const extend = (data: Uint8Array, kind: number, extensions: { type: number; value: Uint8Array }[]) =>
    Uint8Array.from([
      ...data,
      ...bytes(165 - data.length),
      kind,
      ...extensions.flatMap(({ type, value }) => [type, 0, value.length, 0, ...value]),
    ])
  return {
    /** A mint with six decimals, unless another number is given. */
    mint({
      name = '',
      symbol = '',
      decimals = 6,
      extensions,
    }: {
      name?: string
      symbol?: string
      decimals?: number
      extensions?: Extension[]
    } = {}): Address {
      const mint = createKeypair().address as string as Address
      const account = buildMint(undefined, 2n ** 63n, decimals, rent)
      const data = extensions ? extend(account.data, 1, extensions) : account.data
      const owner = extensions ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
      chain.writeAccounts(
        new Map([
          [mint, { ...account, data, owner, lamports: rent(data.length) }],
          ...(name ? [buildMetadata(mint, mint, { name, symbol, uri: '' }, rent)] : []),
        ]) as never,
      )
      return mint
    },

    /** Gives a wallet tokens, in its associated account or at another address. */
    hold(
      owner: Address,
      mint: Address,
      amount: bigint,
      {
        isFrozen = false,
        extensions,
        address,
      }: { isFrozen?: boolean; extensions?: Extension[]; address?: Address } = {},
    ): Address {
      const account = buildTokenAccount(mint, owner, amount, rent)
      const plain = Uint8Array.from(account.data)
      if (isFrozen) plain[STATE] = FROZEN
      const own = extensions?.flatMap(({ inAccount }) => inAccount ?? [])
      const data = own ? extend(plain, 2, own) : plain
      const program = extensions ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
      const at = address ?? associatedTokenAddress(mint, owner, program)
      const lamports = account.lamports - rent(165) + rent(data.length)
      chain.writeAccounts(new Map([[at, { ...account, data, owner: program, lamports }]]) as never)
      return at
    },

    /** What a token account holds; undefined if there is none. */
    tokens: (owner: Address, mint: Address, program: Address = TOKEN_PROGRAM): bigint | undefined =>
      decodeTokenAccount(chain.account(associatedTokenAddress(mint, owner, program)))?.amount,
    lamports: (address: Address): bigint => chain.account(address)?.lamports ?? 0n,
  }
}
