import type { Claim, Slipway } from '../create-slipway.ts'
import type { Address, Blockhash, BuiltTransaction, CreateLaunchRequest } from '../types.ts'
import type { Chain } from './chain.ts'
import { type OnSettled, sendAndConfirm } from './confirm.ts'
import { listUnsigned } from './list-unsigned.ts'
import { TransactionError, type TransactionFailure } from './transaction-error.ts'

export interface SubmitOptions {
  /** Stops waiting. Transactions that were sent may still be executed. */
  signal?: AbortSignal | undefined
  /**
   * Called before anything is sent, with the signature of each transaction: with it, its fate can be looked up later.
   */
  onSigned?: ((signatures: string[]) => void) | undefined
  /** Called once for each transaction, when a node has accepted it. */
  onSent?: ((signature: string) => void) | undefined
  /** Called with false when the RPC stops answering, and with true when it answers again. */
  onReachable?: ((isReachable: boolean) => void) | undefined
}

export interface Confirmation {
  signature: string
  /** The slot in which it was confirmed. As `minSlot`, it makes sure that what you read next is not older. */
  slot: number
}

/** The outcome of one of several transactions. */
export type TransactionResult =
  | ({ index: number; status: 'confirmed' } & Confirmation)
  | { index: number; status: TransactionFailure; signature: string; error: TransactionError }

export interface SubmitAllOptions extends SubmitOptions {
  /** Called once for each transaction, as soon as its fate is known. */
  onProgress?: ((result: TransactionResult, total: number) => void) | undefined
  /** Sends each transaction after the one before it is confirmed, and none after one that is not. */
  inOrder?: boolean | undefined
}

export interface LaunchProgress {
  /** Keep it: with it in the request, `createLaunch` continues what was interrupted. */
  genesisAccount: Address
  mintAddress: Address
  /** Transactions that are confirmed, of those known so far. */
  confirmed: number
  total: number
}

export interface LaunchOptions extends SubmitOptions {
  /** Called when the transactions are built, and after each one. */
  onProgress?: ((progress: LaunchProgress) => void) | undefined
}

export interface SubmittedLaunch {
  genesisAccount: Address
  mintAddress: Address
  signatures: string[]
}

/** Signs, sends and confirms what the API has built. */
export interface Submitter {
  /**
   * One transaction, as from `agents.withdraw`, `fund` and `mint`. Resolves when it is confirmed, and throws a
   * `TransactionError` otherwise.
   */
  submit(built: BuiltTransaction, options?: SubmitOptions): Promise<Confirmation>
  /**
   * All transactions of `rewards.claim`. Throws only if they were not signed; after that, it reports on each one. For
   * those that expired, claim again.
   */
  submitAll(claim: Claim, options?: SubmitAllOptions): Promise<TransactionResult[]>
  /**
   * Creates a launch on the chain: builds its transactions and submits them in order. If the blockhash expires on the
   * way, it asks for what is left and continues. Register the launch afterwards.
   */
  createLaunch(
    slipway: Slipway,
    request: CreateLaunchRequest,
    options?: LaunchOptions,
  ): Promise<SubmittedLaunch>
}

/** How often in a row a launch may expire without any progress. */
const EXPIRED_MAX = 3

export function createSubmitter<Signed>(chain: Chain<Signed>): Submitter {
  async function sign(transactions: string[], blockhash: Blockhash): Promise<Signed[]> {
    try {
      const wires = transactions.map(decodeBase64)
      // Checked before a wallet asks its user to sign something that can't be sent.
      const missing = wires.flatMap(listUnsigned).find(address => !chain.signers.includes(address))
      if (missing) throw new Error(`it needs the signature of ${missing}, and no signer was given for it`)
      const signed = await chain.sign(wires, blockhash)
      // Throws if a wallet has returned it without the signature of the account that pays the fees.
      for (const transaction of signed) chain.signatureOf(transaction)
      return signed
    } catch (cause) {
      throw new TransactionError('rejected', { cause })
    }
  }

  async function confirm(
    signed: Signed,
    blockhash: Blockhash,
    options: SubmitOptions,
  ): Promise<Confirmation> {
    let settled: number | TransactionError | undefined
    const onSettled: OnSettled = (_index, _signature, outcome) => {
      settled = outcome
    }
    await sendAndConfirm(chain, [signed], blockhash, { ...options, onSettled })
    if (typeof settled !== 'number') throw settled
    return { signature: chain.signatureOf(signed), slot: settled }
  }

  async function submitAll(
    { transactions, blockhash }: Claim,
    { onProgress, inOrder = false, ...options }: SubmitAllOptions = {},
  ) {
    const results: TransactionResult[] = []
    if (!blockhash) return results
    const signed = await sign(transactions, blockhash)
    options.signal?.throwIfAborted()
    options.onSigned?.(signed.map(chain.signatureOf))
    for (const batch of inOrder ? signed.map(one => [one]) : [signed]) {
      const from = results.length
      await sendAndConfirm(chain, batch, blockhash, {
        ...options,
        onSettled(at, signature, outcome) {
          const index = from + at
          const result: TransactionResult =
            typeof outcome === 'number'
              ? { index, status: 'confirmed', signature, slot: outcome }
              : { index, status: outcome.reason, signature, error: outcome }
          results[index] = result
          onProgress?.(result, transactions.length)
        },
      })
      if (results.at(-1)?.status !== 'confirmed') break
    }
    return results
  }

  async function createLaunch(
    slipway: Slipway,
    request: CreateLaunchRequest,
    { onProgress, ...options }: LaunchOptions = {},
  ): Promise<SubmittedLaunch> {
    const { signal } = options
    const signatures: string[] = []
    let built = await slipway.launches.create(request, { signal })
    for (let expired = 0; ; ) {
      const { genesisAccount, mintAddress, blockhash, transactions } = built
      const total = signatures.length + transactions.length
      const report = () => onProgress?.({ genesisAccount, mintAddress, confirmed: signatures.length, total })
      report()
      try {
        const all = await sign(transactions, blockhash)
        signal?.throwIfAborted()
        options.onSigned?.(all.map(chain.signatureOf))
        for (const signed of all) {
          signatures.push((await confirm(signed, blockhash, options)).signature)
          expired = 0
          report()
        }
        return { genesisAccount, mintAddress, signatures }
      } catch (error) {
        if (!(error instanceof TransactionError) || error.reason !== 'expired') throw error
        expired += 1
        if (expired > EXPIRED_MAX) throw error
        // Until the first transaction is executed, there is nothing on the chain to continue.
        const isStarted = signatures.length > 0 || request.genesisAccount
        built = await slipway.launches.create(isStarted ? { ...request, genesisAccount } : request, {
          signal,
        })
      }
    }
  }

  return {
    async submit({ tx, blockhash }, options = {}) {
      const [signed] = await sign([tx], blockhash)
      options.signal?.throwIfAborted()
      options.onSigned?.([chain.signatureOf(signed as Signed)])
      return confirm(signed as Signed, blockhash, options)
    },
    submitAll,
    createLaunch,
  }
}

function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}
