import { addressBytes } from '@slipway/launch-model/bytes/base58'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { buildOwnerChangeText, type OwnerChange, type OwnerSignature } from '@slipway/schema/owner-change'
import type { Deadline } from '../lib/deadline.ts'
import { verifyEd25519 } from '../lib/ed25519.ts'
import type { Database } from '../store/database.ts'
import { applyOwnerChange, type Transaction } from '../store/owner-changes.ts'

type UnsignedChange = Omit<OwnerChange, 'issuedAt' | 'nonce'>

/** For both sides of `issuedAt`, because the clocks of wallets differ from ours. */
const VALID_MS = 5 * 60_000

/**
 * Applies a change that an owner has signed. `assertOwner` reads the chain and throws unless the signer may make the
 * change. The nonce is recorded only after that, so that other wallets can't use up an owner's nonces.
 */
export async function applySignedChange<Proof>(
  database: Database,
  change: UnsignedChange,
  signed: OwnerSignature,
  {
    deadline,
    assertOwner,
    apply,
  }: {
    deadline: Pick<Deadline, 'assertInTime'>
    assertOwner(owner: Address): Promise<Proof>
    apply(db: Transaction, proof: Proof): Promise<void>
  },
): Promise<void> {
  assertSigned(change, signed, database.nowMs())
  const { owner, nonce } = signed
  const proof = await assertOwner(owner)
  // A change that the caller believes to have failed must not be applied.
  deadline.assertInTime()
  const { purpose, network, address } = change
  const isApplied = await applyOwnerChange(
    database,
    { purpose, network, address, owner, nonce, issuedAt: new Date(signed.issuedAt) },
    db => apply(db, proof),
  )
  if (!isApplied) throw new ServiceError('INVALID_SIGNATURE')
}

/** Throws unless the owner has signed exactly this change, recently. */
function assertSigned(
  change: UnsignedChange,
  { owner, issuedAt, nonce, signature }: OwnerSignature,
  nowMs: number,
): void {
  if (Math.abs(nowMs - Date.parse(issuedAt)) > VALID_MS) {
    const time = new Date(nowMs).toISOString()
    const message = `is more than five minutes away from the service's clock, which shows ${time}`
    throw new ServiceError('INVALID_SIGNATURE', { details: [{ path: 'issuedAt', message }] })
  }
  const text = buildOwnerChangeText({ ...change, issuedAt, nonce })
  if (!verifyEd25519(addressBytes(owner), Buffer.from(text), signature))
    throw new ServiceError('INVALID_SIGNATURE')
}
