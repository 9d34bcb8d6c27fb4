import {
  type Address,
  getBase58Decoder,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
} from '@solana/kit'
import type { ChainAccount } from '../../ledger/account.ts'
import type { Chain } from '../../ledger/create-chain.ts'
import type { Execution } from '../../ledger/execution.ts'
import { feeOf } from '../../ledger/fee.ts'
import {
  MalformedTransaction,
  parseTransaction,
  TRANSACTION_BYTES_MAX,
  type WireTransaction,
} from '../../ledger/parse-transaction.ts'
import { BLOCKHASHES_VALID } from '../../ledger/slot-clock.ts'
import { accountFormat, encodeAccount } from '../encode-account.ts'
import { encodeReturnData, transactionEncoding } from '../encode-transaction.ts'
import { invalidParams, signatureVerificationFailed, simulationFailed } from '../errors.ts'
import type { Methods } from '../method.ts'
import { booleanOf, type Config, resolveCommitment, toAddress, withContext, wrongType } from '../params.ts'

export const transactionMethods: Methods = {
  sendTransaction({ chain }, params) {
    const text = params.string(0)
    const config = params.config(1)
    const tx = decodeTransaction(text, config)
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
    const given = decodeTransaction(text, config)
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
    const bytes = decodeText(params.string(0), 'base64', 'solana_message::versions::VersionedMessage')
    const commitment = resolveCommitment(chain, params.config(1))
    let message: ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>
    try {
      message = getCompiledTransactionMessageDecoder().decode(bytes)
    } catch (error) {
      throw invalidParams(
        `failed to deserialize solana_message::versions::VersionedMessage: ${(error as Error).message}`,
      )
    }
    if (message.version !== 'legacy' && message.version !== 0) {
      throw invalidParams('invalid transaction message: Transaction version is unsupported')
    }
    if (chain.clock.validSlotOf(message.lifetimeToken) === undefined) {
      return withContext(chain, commitment, null)
    }
    const fee = feeOf({
      signers: message.header.numSignerAccounts,
      staticKeys: message.staticAccounts,
      instructions: message.instructions.map(ix => ({
        programIndex: ix.programAddressIndex,
        accounts: [],
        data: new Uint8Array(ix.data ?? []),
      })),
    })
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

function decodeTransaction(text: string, config: Config): WireTransaction {
  const encoding = config.encoding ?? 'base58'
  if (encoding !== 'base58' && encoding !== 'base64') {
    throw invalidParams(
      `unsupported encoding: ${transactionEncoding(config)}. Supported encodings: base58, base64`,
    )
  }
  const bytes = decodeText(text, encoding)
  try {
    return parseTransaction(bytes)
  } catch (error) {
    if (error instanceof MalformedTransaction) throw invalidParams(error.message)
    throw error
  }
}

const TEXT_MAX = { base64: 1_644, base58: 1_683 }

function decodeText(
  text: string,
  encoding: 'base58' | 'base64',
  type = 'solana_transaction::versioned::VersionedTransaction',
): Uint8Array {
  const max = TEXT_MAX[encoding]
  if (text.length > max) {
    throw invalidParams(
      `${encoding} encoded ${type} too large: ${text.length} bytes (max: encoded/raw ${max}/${TRANSACTION_BYTES_MAX})`,
    )
  }
  const bytes = encoding === 'base64' ? decodeBase64(text) : decodeBase58(text)
  if (bytes.length > TRANSACTION_BYTES_MAX) {
    throw invalidParams(
      `decoded ${type} too large: ${bytes.length} bytes (max: ${TRANSACTION_BYTES_MAX} bytes)`,
    )
  }
  return bytes
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
