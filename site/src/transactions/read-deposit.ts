import { depositAddress } from '@slipway/launch-model/addresses'
import { afterDeposit } from '@slipway/launch-model/after-deposit'
import { decodeBucketData } from '@slipway/launch-model/bucket'
import { Reader } from '@slipway/launch-model/bytes/codec'
import type { Deposit, Deposits } from '@slipway/launch-model/kinds/bucket-kind'
import { kindOf } from '@slipway/launch-model/kinds/kinds'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import type { PlacedBucket } from '@slipway/launch-model/position-accounts'
import { type Address, CLOCK_SYSVAR, GENESIS_PROGRAM, SYSVAR_OWNER } from '@slipway/launch-model/programs'
import { formatShare, nameFee } from '../lib/format.ts'
import { fetchAccounts, WrongAnswer } from '../lib/rpc.ts'
import { decodeTransaction } from './decode-transaction.ts'
import type { Intent, Outlook } from './intent.ts'
import { sayBase, sayQuote } from './launch-parts.ts'
import { readDeposit } from './review-deposit.ts'

type DepositIntent = Extract<Intent<Address>, { kind: 'deposit' }>

/**
 * What a deposit is for. The bytes don't name it, and the API could promise anything. So the page computes it from the
 * launch's accounts. A bonus that is due but not recorded on the chain yet is left out: it would only add to it.
 */
export async function readOutlook(
  { rpcUrl, signal }: { rpcUrl: string; signal: AbortSignal },
  wires: readonly Uint8Array[],
  intent: Intent,
  wallet: string,
): Promise<Outlook | undefined> {
  const [wire] = wires
  if (intent.kind !== 'deposit' || !wire) return undefined
  return describe(await readAccounts({ rpcUrl, signal }, wire, intent as DepositIntent, wallet as Address))
}

async function readAccounts(
  { rpcUrl, signal }: { rpcUrl: string; signal: AbortSignal },
  wire: Uint8Array,
  intent: DepositIntent,
  wallet: Address,
) {
  const { kind, address } = readDeposit(decodeTransaction(wire).instructions, intent, 'deposit').bucket
  const [bucketData, depositData, clock] = await fetchAccounts(
    rpcUrl,
    [address, depositAddress(kind, address, wallet), CLOCK_SYSVAR],
    signal,
    [GENESIS_PROGRAM, SYSVAR_OWNER],
  )
  const bucket = bucketData && decodeBucketData(bucketData)
  const deposits = kindOf(kind).deposits as unknown as Deposits<PlacedBucket> | undefined
  if (typeof bucket !== 'object' || bucket.kind !== kind || !deposits || !clock)
    throw new WrongAnswer('the launch can’t be read')
  const deposit = depositData && deposits.layout.read(new Reader(depositData))
  return { intent, wallet, deposits, bucket: { ...bucket, address }, deposit, now: timeIn(clock) }
}

function describe({
  intent,
  wallet,
  deposits,
  bucket,
  deposit,
  now,
}: Awaited<ReturnType<typeof readAccounts>>): Outlook {
  const { credited, weighted, fee } = deposits.cost(bucket, intent.amount, now)
  const before = {
    ...{ wallet, buckets: [bucket], unlocked: [], nowSeconds: Number(now) },
    deposits: new Map(deposit ? [[bucket.address, deposit]] : []),
  }
  const after = afterDeposit(before, bucket, { credited, weighted })
  const [then, own] = [after.buckets[0] as PlacedBucket, after.deposits.get(bucket.address) as Deposit]
  const total = deposits.entitled(then, own)
  const held = deposit ? deposits.entitled(bucket, deposit) : 0n
  const adds = held > 0n && held < total
  const { part, whole } = deposits.share(then, own)
  const share = `${formatShare(whole === 0n ? 0 : Number(part) / Number(whole))} of what depositors share`
  const amount = sayBase(adds ? total - held : total, intent)
  const inTotal = `${sayBase(total, intent)} in total`
  return {
    expects: wordsOf(bucket.kind).isShared
      ? {
          label: adds ? 'Added to your share, if it ended now' : 'Your share, if it ended now',
          amount,
          note: `${adds ? `${inTotal}, which is ${share}` : share}. Later deposits make it smaller.`,
        }
      : {
          label: adds ? 'Added, at the fixed price' : 'Yours, at the fixed price',
          amount,
          note: `${adds ? `${inTotal}. ` : ''}A presale gives no refunds.`,
        },
    ...(fee > 0n && {
      fee: {
        label: `${nameFee(Number(fee) / Number(fee + credited))}, included`,
        amount: sayQuote(fee, intent),
      },
    }),
  }
}

/** Where the chain's clock has its time, in Unix seconds. */
const TIME_AT = 32

const timeIn = ({ buffer, byteOffset }: Uint8Array): bigint =>
  new DataView(buffer, byteOffset).getBigInt64(TIME_AT, true)
