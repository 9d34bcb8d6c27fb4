import { identityAddress } from '@slipway/launch-model/addresses'
import type { LandedTransaction } from '@slipway/launch-model/history/transaction'
import { IDENTITY_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import { RpcError, UNKNOWN_CURSOR } from '../../chain/rpc/fault.ts'
import type { SignatureInfo } from '../../chain/rpc/requests.ts'
import { findUnregistered, type Registration, saveRegistration } from '../../store/agent-listing.ts'
import type { Database } from '../../store/database.ts'

type HistoryRpc = Pick<ChainCalls, 'fetchSignatures' | 'fetchTransaction' | 'confirmCluster'>

const PAGE = 1_000
/** An identity usually has a handful of transactions. Anyone can add more, so the search is limited. */
const PAGES_MAX = 5
/** The registration is almost always the oldest. Anyone who knows the address can send something to it before. */
const READ_MAX = 20

/**
 * Finds the transaction that registered an agent, unless it is known: the one that created its identity. It stays
 * unknown if it is not among the oldest ones of a history that may be read.
 */
export async function learnRegistration(
  { rpc, database, network }: { rpc: HistoryRpc; database: Database; network: Network },
  address: Address,
): Promise<void> {
  if (!(await findUnregistered(database, network, address))) return
  const sinceMs = performance.now()
  const registration = await fetchRegistration(rpc, identityAddress(address))
  if (!registration) return
  await rpc.confirmCluster(sinceMs)
  await saveRegistration(database, network, address, registration)
}

async function fetchRegistration(rpc: HistoryRpc, identity: Address): Promise<Registration | undefined> {
  const history: SignatureInfo[] = []
  for (let page = 1; ; page += 1) {
    const before = history.at(-1)?.signature
    const found = await rpc
      .fetchSignatures(identity, { limit: PAGE, ...(before && { before }) })
      // A node that has pruned the cursor meanwhile: the next refresh of the agent tries again.
      .catch(unless(error => error.code === UNKNOWN_CURSOR))
    if (!found) return undefined
    history.push(...found)
    if (found.length < PAGE) break
    if (page === PAGES_MAX) return undefined
  }
  const oldest = history
    .filter(({ failed }) => !failed)
    .reverse()
    .slice(0, READ_MAX)
  for (const { signature } of oldest) {
    // Anyone can send the identity a transaction that no endpoint can show.
    const transaction = await rpc.fetchTransaction(signature).catch(unless(error => error.kind === 'unable'))
    if (transaction && createsIdentity(transaction, identity))
      return { signature, at: new Date(transaction.time * 1_000) }
  }
  return undefined
}

const unless = (isExpected: (error: RpcError) => boolean) => (error: unknown) => {
  if (error instanceof RpcError && isExpected(error)) return undefined
  throw error
}

/**
 * The first byte of `registerIdentityV1`. The program refuses it for an identity that exists. With a long URI, its data
 * is not kept.
 */
const REGISTER = 0

const createsIdentity = ({ failed, calls }: LandedTransaction, identity: Address): boolean =>
  !failed &&
  calls.some(
    call =>
      call.program === IDENTITY_PROGRAM &&
      call.accounts[0] === identity &&
      (call.data[0] ?? REGISTER) === REGISTER,
  )
