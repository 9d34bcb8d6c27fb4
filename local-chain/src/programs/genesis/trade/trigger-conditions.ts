import { BucketTimes, type Condition } from '@metaplex-foundation/genesis'
import { unwrapOption } from '@metaplex-foundation/umi'
import { assertSigner, namedAccounts } from '../../instruction-accounts.ts'
import { type AccountRef, type Invocation, ProgramError } from '../../stand-in.ts'
import { type AnyBucket, encodeBucket } from '../buckets.ts'
import { asKey, assertFinalized, GENESIS, saveBucket } from '../checks.ts'
import { readUnixTime } from '../clock.ts'
import { type BucketTime, triggerIfDue } from '../conditions.ts'
import { genesisError } from '../errors.ts'
import { loadAnyBucket } from '../launch/finalize.ts'

const NAMED_ACCOUNTS = ['genesisAccount', 'bucket', 'baseMint', 'payer'] as const

/**
 * Records in every condition of a bucket that has come true when it did. Anyone may send it. The buckets that relative
 * conditions refer to are passed after the named accounts, and their own conditions come first.
 */
export function triggerConditions(ctx: Invocation): void {
  const { genesisAccount, bucket, baseMint, payer } = namedAccounts(ctx, GENESIS, NAMED_ACCOUNTS)
  assertSigner(payer)
  const genesis = assertFinalized(ctx, genesisAccount)
  if (genesis.baseMint !== asKey(baseMint.address)) throw genesisError('InvalidMintForGenesisAccount')
  const now = readUnixTime(ctx)
  const references = new Map<string, AnyBucket>()
  const timeOf: BucketTime = (address, time) => findTime(references.get(address), time)
  const trigger = (ref: AccountRef): AnyBucket => {
    const triggered = triggerAll(loadAnyBucket(ctx, ref, genesisAccount), now, timeOf)
    saveBucket(ctx, ref, encodeBucket(triggered))
    return triggered
  }
  for (const ref of ctx.accounts.slice(NAMED_ACCOUNTS.length)) {
    // The program cannot open one account twice.
    if (ref.address === bucket.address) throw new ProgramError('AccountBorrowFailed')
    references.set(ref.address, trigger(ref))
  }
  trigger(bucket)
}

/** Goes through all fields, because the conditions of extensions lie deeper than those of the bucket. */
function triggerAll<T>(value: T, now: bigint, timeOf: BucketTime): T {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (isCondition(value)) return triggerIfDue(value, now, timeOf)
  if (Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, triggerAll(field, now, timeOf)]),
  ) as T
}

const isCondition = (value: object): value is Condition => 'triggeredTimestamp' in value && '__kind' in value

const CONDITION_FIELDS: Partial<Record<BucketTimes, string>> = {
  [BucketTimes.DepositStart]: 'depositStartCondition',
  [BucketTimes.DepositEnd]: 'depositEndCondition',
  [BucketTimes.ClaimStart]: 'claimStartCondition',
  [BucketTimes.ClaimEnd]: 'claimEndCondition',
  [BucketTimes.SwapStart]: 'swapStartCondition',
  [BucketTimes.SwapEnd]: 'swapEndCondition',
  [BucketTimes.GraduateStart]: 'startCondition',
  [BucketTimes.Graduate]: 'graduateCondition',
}

function findTime(bucket: AnyBucket | undefined, time: BucketTimes): bigint | undefined {
  const field = CONDITION_FIELDS[time]
  if (!bucket || field === undefined) return undefined
  const condition = (bucket as unknown as Record<string, Condition | undefined>)[field]
  return (condition && unwrapOption(condition.triggeredTimestamp)) ?? undefined
}
