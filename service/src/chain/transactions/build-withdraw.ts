import type { Address } from '@slipway/schema/address'
import { assetSignerAddress } from '../addresses/addresses.ts'
import { officialClients, once } from '../official-clients.ts'
import { compileTransaction } from './compile-transaction.ts'
import { learnInstruction } from './learn-instruction.ts'

export interface Withdrawal {
  asset: Address
  /** The collection that the asset belongs to, if any: the program refuses without it. */
  collection?: Address | undefined
  /** Pays the fee, signs, and receives the money. */
  owner: Address
  lamports: bigint
  blockhash: string
}

const LAMPORTS_MAX = 2n ** 64n - 1n

/** What the owner signs to move money out of the agent's wallet: a transfer that the asset carries out. Base64, unsigned. */
export function buildWithdrawTransaction({
  asset,
  collection,
  owner,
  lamports,
  blockhash,
}: Withdrawal): string {
  if (lamports <= 0n || lamports > LAMPORTS_MAX) throw new RangeError('an amount is from 1 to 2 ** 64 - 1')
  const accounts = { asset, assetSigner: assetSignerAddress(asset), owner }
  const data = executeData(lamports)
  const execute = collection
    ? executeInCollection({ ...accounts, collection }, data)
    : executeAlone(accounts, data)
  return compileTransaction(owner, [execute], blockhash)
}

const executeAlone = learnInstruction(['asset', 'assetSigner', 'owner'], ({ keys, signers, umi }) =>
  officialClients.core().execute(umi('owner', 'assetSigner'), {
    asset: { publicKey: keys.asset },
    instructions: transfer(umi('owner'), signers.assetSigner, keys.owner, MARKED_LAMPORTS),
  }),
)

const executeInCollection = learnInstruction(
  ['asset', 'collection', 'assetSigner', 'owner'],
  ({ keys, signers, umi }) =>
    officialClients.core().execute(umi('owner', 'assetSigner'), {
      asset: { publicKey: keys.asset },
      collection: { publicKey: keys.collection },
      instructions: transfer(umi('owner'), signers.assetSigner, keys.owner, MARKED_LAMPORTS),
    }),
)

function transfer(umi: never, source: never, destination: never, lamports: bigint) {
  const amount = officialClients.umi().lamports(lamports)
  return officialClients.toolbox().transferSol(umi, { source, destination, amount })
}

/** Eight bytes that stand nowhere else in the instruction. */
const MARKED_LAMPORTS = 0xf1_e2_d3_c4_b5_a6_97_88n

/** The bytes of the instruction, with a place for the amount. */
const amountTemplate = once(() => {
  const nobody = { asset: '' as Address, assetSigner: '' as Address, owner: '' as Address }
  const { data } = executeAlone(nobody)
  const marked = Buffer.alloc(8)
  marked.writeBigUInt64LE(MARKED_LAMPORTS)
  const at = Buffer.from(data).indexOf(marked)
  if (
    at === -1 ||
    Buffer.compare(data, executeInCollection({ ...nobody, collection: '' as Address }).data) !== 0
  ) {
    throw new Error('the official builder does not write the amount as expected')
  }
  return { data, at }
})

function executeData(lamports: bigint): Uint8Array {
  const { data, at } = amountTemplate()
  const copy = data.slice()
  new DataView(copy.buffer).setBigUint64(at, lamports, true)
  return copy
}
