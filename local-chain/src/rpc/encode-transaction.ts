import { getBase58Decoder } from '@solana/kit'
import { isMarkedWritable } from '../ledger/execution.ts'
import type { LandedTransaction, TokenBalance } from '../ledger/history.ts'
import {
  type CompiledInstruction,
  parseTransaction,
  type WireTransaction,
} from '../ledger/parse-transaction.ts'
import { uiTokenAmount } from '../ledger/token-balances.ts'
import { versionNotSupported } from './json-rpc.ts'
import { type Config, unknownVariant } from './params.ts'

const ENCODINGS = ['json', 'jsonParsed', 'base64', 'base58'] as const
type TransactionEncoding = (typeof ENCODINGS)[number]

export function transactionEncoding(config: Config): TransactionEncoding {
  const encoding = config.encoding ?? 'json'
  if (ENCODINGS.includes(encoding as TransactionEncoding)) return encoding as TransactionEncoding
  throw unknownVariant(encoding, 'binary', 'base64', 'base58', 'json', 'jsonParsed')
}

const base58 = getBase58Decoder()

/** A transaction with its meta, as `getTransaction` and `getBlock` return it. */
export const encodeTransaction = (
  tx: LandedTransaction,
  encoding: TransactionEncoding,
  versionMax: unknown,
) => ({
  meta: encodeMeta(tx, encoding),
  transaction: encodeBody(tx, encoding),
  ...encodeVersion(tx, versionMax),
})

/** Accounts, signatures and balances without instructions: the `accounts` level of detail of `getBlock`. */
export function encodeAccountsOnly(tx: LandedTransaction, versionMax: unknown) {
  const wire = parseTransaction(tx.wire)
  return {
    meta: encodeBalances(tx),
    transaction: { accountKeys: accountKeys(wire, tx), signatures: signaturesOf(wire) },
    ...encodeVersion(tx, versionMax),
  }
}

/** A client that names no version supports only legacy transactions; one that does also gets the version. */
function encodeVersion({ version }: LandedTransaction, versionMax: unknown) {
  if (version !== 'legacy' && (typeof versionMax !== 'number' || versionMax < version)) {
    throw versionNotSupported(version)
  }
  return typeof versionMax === 'number' ? { version } : {}
}

function encodeBody(tx: LandedTransaction, encoding: TransactionEncoding): unknown {
  if (encoding === 'base64') return [Buffer.from(tx.wire).toString('base64'), 'base64']
  if (encoding === 'base58') return [base58.decode(tx.wire), 'base58']
  const wire = parseTransaction(tx.wire)
  return {
    signatures: signaturesOf(wire),
    message: encoding === 'json' ? encodeMessage(wire) : encodeParsedMessage(wire, tx),
  }
}

const signaturesOf = (wire: WireTransaction): string[] =>
  wire.signatures.map(signature => base58.decode(signature))

function encodeMessage(wire: WireTransaction) {
  return {
    accountKeys: wire.staticKeys,
    header: {
      numReadonlySignedAccounts: wire.readonlySigners,
      numReadonlyUnsignedAccounts: wire.readonlyNonSigners,
      numRequiredSignatures: wire.signers,
    },
    instructions: wire.instructions.map(ix => ({
      accounts: ix.accounts,
      data: base58.decode(ix.data),
      programIdIndex: ix.programIndex,
      stackHeight: 1,
    })),
    recentBlockhash: wire.blockhash,
    ...encodeExtras(wire),
  }
}

/** What follows the other fields of a message in its version. */
const encodeExtras = (wire: WireTransaction) => ({
  ...(wire.version === 0 && { addressTableLookups: encodeLookups(wire) }),
  ...(wire.config && { transactionConfig: wire.config }),
})

const encodeLookups = (wire: WireTransaction) =>
  wire.lookups.map(lookup => ({
    accountKey: lookup.table,
    writableIndexes: lookup.writable,
    readonlyIndexes: lookup.readonly,
  }))

const accountKeys = (wire: WireTransaction, tx: LandedTransaction) =>
  tx.keys.map((pubkey, at) => ({
    pubkey,
    signer: at < wire.signers,
    source: at < wire.staticKeys.length ? 'transaction' : 'lookupTable',
    writable: isMarkedWritable(wire, tx.keys, tx.loaded.writable.length, at),
  }))

function encodeParsedMessage(wire: WireTransaction, tx: LandedTransaction) {
  return {
    accountKeys: accountKeys(wire, tx),
    instructions: wire.instructions.map(ix => toPartlyDecoded({ ...ix, stackHeight: 1 }, tx)),
    recentBlockhash: wire.blockhash,
    ...encodeExtras(wire),
  }
}

const toPartlyDecoded = (ix: CompiledInstruction & { stackHeight: number }, tx: LandedTransaction) => ({
  accounts: ix.accounts.map(at => tx.keys[at]),
  data: base58.decode(ix.data),
  programId: tx.keys[ix.programIndex],
  stackHeight: ix.stackHeight,
})

function encodeMeta(tx: LandedTransaction, encoding: TransactionEncoding) {
  return {
    ...encodeBalances(tx),
    computeUnitsConsumed: tx.unitsConsumed,
    innerInstructions: tx.inner.flatMap((list, index) =>
      list.length === 0
        ? []
        : [
            {
              index,
              instructions: list.map(ix =>
                encoding === 'jsonParsed'
                  ? toPartlyDecoded(ix, tx)
                  : {
                      accounts: ix.accounts,
                      data: base58.decode(ix.data),
                      programIdIndex: ix.programIndex,
                      stackHeight: ix.stackHeight,
                    },
              ),
            },
          ],
    ),
    ...(encoding !== 'jsonParsed' && { loadedAddresses: tx.loaded }),
    logMessages: tx.logs,
    rewards: [],
    ...(tx.returnData && { returnData: encodeReturnData(tx.returnData) }),
  }
}

const encodeBalances = (tx: LandedTransaction) => ({
  err: tx.err,
  fee: tx.fee,
  postBalances: tx.postBalances,
  postTokenBalances: tx.postTokenBalances.map(encodeTokenBalance),
  preBalances: tx.preBalances,
  preTokenBalances: tx.preTokenBalances.map(encodeTokenBalance),
  status: tx.err === null ? { Ok: null } : { Err: tx.err },
})

export const encodeReturnData = (returned: { programId: string; data: Uint8Array }) => ({
  programId: returned.programId,
  data: [Buffer.from(returned.data).toString('base64'), 'base64'],
})

const encodeTokenBalance = (balance: TokenBalance) => ({
  accountIndex: balance.accountIndex,
  mint: balance.mint,
  owner: balance.owner,
  programId: balance.programId,
  uiTokenAmount: uiTokenAmount(balance.amount, balance.decimals),
})
