import { type Address, getBase58Decoder, getBase58Encoder } from '@solana/kit'
import type { ChainAccount } from '../../ledger/account.ts'
import type { Chain } from '../../ledger/create-chain.ts'
import type { Execution } from '../../ledger/execution.ts'
import { feeOf } from '../../ledger/fee.ts'
import {
  MalformedTransaction,
  parseMessage,
  parseTransaction,
  TRANSACTION_BYTES_MAX,
  type TransactionVersion,
  V1_BYTES_MAX,
  type WireTransaction,
} from '../../ledger/parse-transaction.ts'
import { BLOCKHASHES_VALID } from '../../ledger/slot-clock.ts'
import { accountFormat, encodeAccount } from '../encode-account.ts'
import { encodeReturnData, transactionEncoding } from '../encode-transaction.ts'
import { invalidParams, signatureVerificationFailed, simulationFailed } from '../json-rpc.ts'
import type { Methods } from '../params.ts'
import { booleanOf, type Config, resolveCommitment, toAddress, withContext, wrongType } from '../params.ts'

export const transactionMethods: Methods = {
  sendTransaction({ chain }, params) {
    const text = params.string(0)
    const config = params.config(1)
    const tx = decodeTransaction(chain, text, config)
    resolveCommitment(chain, { minContextSlot: config.minContextSlot }, 'processed')
    if (booleanOf(config, 'skipPreflight')) {
      // Submitted without checks, as on a node: an invalid transaction simply never lands.
      chain.submit(tx)
      return tx.signature
    }
    if (!chain.verify(tx)) throw signatureVerificationFailed()
    const problem = chain.precheck(tx)
    if (problem) throw simulationFailed(problem, emptySimulation(problem))
    const preflight = chain.simulate(tx)
    if (preflight.err) throw simulationFailed(preflight.err, encodeRun(preflight, null))
    chain.submit(tx)
    return tx.signature
  },

  simulateTransaction({ chain }, params) {
    const text = params.string(0)
    const config = params.config(1)
    const given = decodeTransaction(chain, text, config)
    const sigVerify = booleanOf(config, 'sigVerify')
    const replace = booleanOf(config, 'replaceRecentBlockhash')
    const commitment = resolveCommitment(chain, config)
    if (sigVerify && replace) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
    if (sigVerify && !chain.verify(given)) throw signatureVerificationFailed()
    const requested = parseRequestedAccounts(config, given)

    const slot = chain.slotAt(commitment)
    const replacement = replace
      ? { blockhash: chain.clock.blockhash(slot), lastValidBlockHeight: slot + BLOCKHASHES_VALID }
      : undefined
    // It runs on the newest state, whatever the commitment, and the context says so.
    const respond = (value: object) => withContext(chain, 'processed', value)
    const problem = replace ? undefined : chain.precheck(given)
    if (problem) return respond(emptySimulation(problem))
    const run = chain.simulate(given)
    const accounts =
      requested && (run.err ? requested.addresses.map(() => null) : encodeRequested(chain, run, requested))
    return respond({
      ...encodeRun(run, accounts ?? null),
      ...(booleanOf(config, 'innerInstructions') && { innerInstructions: encodeInner(run) }),
      ...(replacement && { replacementBlockhash: replacement }),
    })
  },

  getFeeForMessage({ chain }, params) {
    const text = params.string(0)
    const commitment = resolveCommitment(chain, params.config(1))
    const message = decode(chain, { text, encoding: 'base64', type: MESSAGE_TYPE, parse: parseMessage })
    if (chain.clock.validSlotOf(message.blockhash) === undefined) {
      return withContext(chain, commitment, null)
    }
    const fee = feeOf(message)
    return withContext(chain, commitment, fee)
  },

  requestAirdrop({ faucet }, params) {
    const address = params.address(0)
    const lamports = params.u64(1)
    const { signature, execution } = faucet.airdrop(address, BigInt(lamports))
    // For example, because the amount is below the rent minimum of an empty account.
    if (execution.err !== null) throw simulationFailed(execution.err, encodeRun(execution, null))
    return signature
  },
}

function decodeTransaction(chain: Chain, text: string, config: Config): WireTransaction {
  const encoding = config.encoding ?? 'base58'
  if (encoding !== 'base58' && encoding !== 'base64') {
    throw invalidParams(
      `unsupported encoding: ${transactionEncoding(config)}. Supported encodings: base58, base64`,
    )
  }
  return decode(chain, { text, encoding, type: TRANSACTION_TYPE, parse: parseTransaction })
}

const TRANSACTION_TYPE = 'solana_transaction::versioned::VersionedTransaction'
const MESSAGE_TYPE = 'solana_message::versions::VersionedMessage'
const BASE58_TEXT_MAX = 1_683

/** `type` is what a node calls these bytes in its errors. */
function decode<Parsed extends { version: TransactionVersion }>(
  { conditions: { transactionVersions } }: Chain,
  of: { text: string; encoding: 'base58' | 'base64'; type: string; parse: (bytes: Uint8Array) => Parsed },
): Parsed {
  const { text, encoding, type } = of
  // Base58 takes no more than it did before version 1.
  const isLong = encoding === 'base64' && transactionVersions.includes(1)
  const bytesMax = isLong ? V1_BYTES_MAX : TRANSACTION_BYTES_MAX
  const textMax = encoding === 'base64' ? Math.ceil(bytesMax / 3) * 4 : BASE58_TEXT_MAX
  if (text.length > textMax) {
    throw invalidParams(
      `${encoding} encoded ${type} too large: ${text.length} bytes (max: encoded/raw ${textMax}/${bytesMax})`,
    )
  }
  const bytes = encoding === 'base64' ? decodeBase64(text) : decodeBase58(text)
  const assertSize = (max: number) => {
    if (bytes.length > max)
      throw invalidParams(`decoded ${type} too large: ${bytes.length} bytes (max: ${max} bytes)`)
  }
  assertSize(bytesMax)
  const parsed = parseOrRefuse(bytes, of.parse)
  if (!transactionVersions.includes(parsed.version))
    throw invalidParams('invalid transaction: Transaction version is unsupported')
  if (parsed.version !== 1) assertSize(TRANSACTION_BYTES_MAX)
  return parsed
}

function parseOrRefuse<Parsed>(bytes: Uint8Array, parse: (bytes: Uint8Array) => Parsed): Parsed {
  try {
    return parse(bytes)
  } catch (error) {
    if (error instanceof MalformedTransaction) throw invalidParams(error.message)
    throw error
  }
}

function decodeBase64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) {
    throw invalidParams('invalid base64 encoding: InvalidPadding')
  }
  return new Uint8Array(Buffer.from(text, 'base64'))
}

function decodeBase58(text: string): Uint8Array {
  try {
    return new Uint8Array(getBase58Encoder().encode(text))
  } catch {
    throw invalidParams('invalid base58 encoding: InvalidCharacter')
  }
}

type RequestedAccounts = { addresses: Address[]; format: ReturnType<typeof accountFormat> }

function parseRequestedAccounts(config: Config, tx: WireTransaction): RequestedAccounts | undefined {
  const requested = config.accounts as Config | undefined | null
  if (!requested) return undefined
  if (!Array.isArray(requested.addresses)) throw wrongType(requested.addresses, 'a sequence')
  const format = accountFormat(requested, 'base64')
  if (format.encoding === 'binary' || format.encoding === 'base58') {
    throw invalidParams('base58 encoding not supported')
  }
  const known =
    tx.staticKeys.length + tx.lookups.reduce((n, l) => n + l.writable.length + l.readonly.length, 0)
  if (requested.addresses.length > known) throw invalidParams(`Too many accounts provided; max ${known}`)
  return { addresses: requested.addresses.map(toAddress), format }
}

function encodeRequested(chain: Chain, run: Execution, { addresses, format }: RequestedAccounts) {
  const read = (of: Address): ChainAccount | undefined =>
    run.accounts.has(of) ? run.accounts.get(of) : chain.account(of)
  return addresses.map(address => {
    const account = read(address)
    return account ? encodeAccount(account, format, read) : null
  })
}

const encodeRun = (run: Execution, accounts: unknown) => ({
  accounts,
  err: run.err,
  innerInstructions: null,
  logs: run.logs,
  replacementBlockhash: null,
  returnData: run.returnData && encodeReturnData(run.returnData),
  unitsConsumed: run.unitsConsumed,
})

const emptySimulation = (err: string) => ({
  accounts: null,
  err,
  innerInstructions: null,
  logs: [],
  replacementBlockhash: null,
  returnData: null,
  unitsConsumed: 0,
})

/** The parsed form, as on a node: programs and accounts by address. */
function encodeInner(run: Execution) {
  const keys = run.keys?.keys ?? []
  return run.inner.flatMap((list, index) =>
    list.length === 0
      ? []
      : [
          {
            index,
            instructions: list.map(ix => ({
              accounts: ix.accounts.map(at => keys[at]),
              data: getBase58Decoder().decode(ix.data),
              programId: keys[ix.programIndex],
              stackHeight: ix.stackHeight,
            })),
          },
        ],
  )
}
