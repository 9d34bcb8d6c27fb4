import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { OwnerSignature } from '@slipway/schema/owner-change'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DeadlineExceeded } from '../lib/deadline.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { signChange } from '../testing/owner-changes.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { applySignedChange } from './apply-signed-change.ts'

const owner = createKeypair()
const network = 'chain-mainnet'
const address = addressOf('agent')
const purpose = 'remove agent card'
const change = { purpose, deployment: 'https://slipway.example', network, address } as const

const sign = (issuedAt?: string) =>
  OwnerSignature.parse(signChange(owner, { purpose, address, ...(issuedAt && { issuedAt }) }))

/** The time of a change is up once `state.isLate` is true. */
async function prepare() {
  const { database } = await createTestDatabase()
  const state = { isLate: false, applied: 0 }
  const apply = (signed: OwnerSignature, assertOwner: () => Promise<void> = async () => {}) =>
    applySignedChange(database, change, signed, {
      deadline: {
        assertInTime() {
          if (state.isLate) throw new DeadlineExceeded('the time is up')
        },
      },
      assertOwner,
      async apply() {
        state.applied += 1
      },
    })
  return { state, apply }
}

test('a change whose time is up while its owner is read is not applied, and can be sent again', async () => {
  const { state, apply } = await prepare()
  const signed = sign()
  const late = apply(signed, async () => {
    state.isLate = true
  })
  await expect(late).rejects.toBeInstanceOf(DeadlineExceeded)
  expect(state.applied).toBe(0)
  state.isLate = false
  await apply(signed)
  expect(state.applied).toBe(1)
})

test('a signature is valid for five minutes before and after its time, to the millisecond', async () => {
  const { state, apply } = await prepare()
  const nowMs = Date.UTC(2026, 5, 1)
  vi.setSystemTime(nowMs)
  onTestFinished(() => void vi.useRealTimers())
  const at = (ms: number) => new Date(nowMs + ms).toISOString()
  for (const ms of [-300_001, 300_001])
    await expect(apply(sign(at(ms)))).rejects.toMatchObject({
      code: 'INVALID_SIGNATURE',
      details: [{ path: 'issuedAt', message: expect.stringContaining("the service's clock") }],
    })
  for (const ms of [-300_000, 300_000]) await apply(sign(at(ms)))
  expect(state.applied).toBe(2)
})
