import {
  closeTokenAccount,
  setComputeLimit,
  setComputePrice,
  syncNative,
  transfer,
} from '@slipway/launch-model/calls/tokens'
import type { Step } from '@slipway/launch-model/trade/wrap-native'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { Costs } from '@slipway/schema/transaction'
import { formatSol } from '../../lib/format-units.ts'

const SIGNATURE_LAMPORTS = 5_000n
const MICRO = 1_000_000n
/** Core's `execute` charges the rent of seven bytes. */
const EXECUTE_FEE_BYTES = 7

/** A transaction and all of its steps, the compute budget's included. */
export interface PaidTransaction {
  tx: string
  steps: readonly Step[]
}

/** What transactions cost their payer, in lamports. */
export interface PayerCosts {
  fees: bigint
  /** The rent of every account that they would create if it were missing when they land. */
  rentsMax: bigint
  /** The rents that they would take now, less what they give back. */
  rentsNow: bigint
  /** The most that they would hold of the payer's at any time. */
  rentsPeak: bigint
  /** Who can get the rents. */
  rentsGoTo: Address[]
}

interface Chain {
  rent: (bytes: number) => bigint
  /** The lamports at an address where no account has been opened; undefined where one has. */
  unopened: (address: Address) => bigint | undefined
}

/**
 * What transactions cost their payer, from their own instructions. The most that they can cost counts accounts that
 * exist, too: their owner may close them before a transaction lands, or between two of them.
 */
export function costsOf(
  transactions: readonly PaidTransaction[],
  payer: Address,
  { rent, unopened }: Chain,
): PayerCosts {
  const [now, max] = [createRents(payer, rent, unopened), { sum: 0n, goTo: new Set<Address>() }]
  let fees = 0n
  for (const { tx, steps } of transactions) {
    fees += feesOf(tx, steps, rent)
    const atWorst = createRents(payer, rent, () => 0n)
    for (const { call } of steps) {
      now.run(call)
      atWorst.run(call)
    }
    const { paid, goTo } = atWorst.end()
    max.sum += paid
    for (const address of goTo) max.goTo.add(address)
  }
  const { net, peak } = now.end()
  return { fees, rentsMax: max.sum, rentsNow: net, rentsPeak: peak, rentsGoTo: [...max.goTo] }
}

function feesOf(tx: string, steps: readonly Step[], rent: Chain['rent']): bigint {
  const argsOf = ({ name }: { name: string }) => steps.find(({ call }) => call.kind.name === name)?.call.args
  const { units } = (argsOf(setComputeLimit) ?? { units: 0 }) as { units: number }
  const { microLamports } = (argsOf(setComputePrice) ?? { microLamports: 0n }) as { microLamports: bigint }
  const executes = BigInt(steps.filter(({ byAgent }) => byAgent).length)
  return steps.reduce(
    (sum, { call }) => sum + (call.charges ?? 0n),
    BigInt(countSigners(tx)) * SIGNATURE_LAMPORTS +
      (BigInt(units) * microLamports + MICRO - 1n) / MICRO +
      executes * (rent(EXECUTE_FEE_BYTES) - rent(0)),
  )
}

/** A transaction begins with the number of its signatures, which is less than 128. */
const countSigners = (tx: string): number => Buffer.from(tx.slice(0, 4), 'base64')[0] as number

interface Place {
  isOpen: boolean
  /** What was sent to the address ahead of the account, which then needs less rent. */
  lamports: bigint
  /** What the payer has paid here and not got back. */
  held: bigint
  /** Who gets what the payer has paid here. */
  goesTo?: Address | undefined
}

/** Follows the rents through instructions, one after the other. */
function createRents(payer: Address, rent: Chain['rent'], unopened: Chain['unopened']) {
  const places = new Map<Address, Place>()
  let [paid, net, peak] = [0n, 0n, 0n]
  let closed: Place | undefined

  const at = (address: Address): Place => {
    const known = places.get(address)
    if (known) return known
    const lamports = unopened(address)
    const place = { isOpen: lamports === undefined, lamports: lamports ?? 0n, held: 0n }
    places.set(address, place)
    return place
  }
  const open = (place: Place, bytes: number, closer: Address | undefined) => {
    if (place.isOpen) return
    const needs = rent(bytes)
    const pays = needs > place.lamports ? needs - place.lamports : 0n
    Object.assign(place, { isOpen: true, lamports: 0n, held: place.held + pays })
    if (pays > 0n) place.goesTo = closer
    paid += pays
    net += pays
    if (net > peak) peak = net
  }

  return {
    run({ kind, args, accounts }: Step['call']): void {
      for (const { address, opens } of accounts) if (opens) open(at(address), opens.bytes, opens.closer)
      const [first, second] = accounts
      if (!first) return
      // It fails unless the account exists.
      if (kind.name === syncNative.name) at(first.address).isOpen = true
      if (kind.name === closeTokenAccount.name) {
        const place = at(first.address)
        closed = place
        if (second?.address === payer) {
          net -= place.held
          if (place.held > 0n) place.goesTo = payer
        }
        Object.assign(place, { isOpen: false, lamports: 0n, held: 0n })
      }
      if (kind.name === transfer.name && second) {
        const { lamports } = args as { lamports: bigint }
        if (second.address !== payer) at(second.address).lamports += lamports
        else if (first.address !== payer) {
          // The rent of a temporary account, which its owner hands back.
          net -= lamports
          if (closed?.goesTo) closed.goesTo = payer
        }
      }
    },
    end: () => ({
      paid,
      net,
      peak,
      goTo: [...places.values()].flatMap(({ goesTo }) => goesTo ?? []),
    }),
  }
}

/** What an answer says. Lamports that were sent ahead of an account can come back to the payer as well. */
export const describeCosts = ({ fees, rentsMax, rentsNow, rentsGoTo }: PayerCosts): Costs => ({
  payer: {
    fees: `${fees}`,
    rentsMax: `${rentsMax}`,
    rentsNow: `${rentsNow > 0n ? rentsNow : 0n}`,
    rentsGoTo,
  },
})

/** The same as a sentence, for whoever signs. */
export function tellCosts(payer: unknown, { payer: costs }: Costs): string {
  const sol = (lamports: string) => formatSol(BigInt(lamports))
  const fees = `${payer} pays fees of ${sol(costs.fees)}`
  if (costs.rentsMax === '0') return `${fees}, and no rent.`
  const rents = `${fees}, and rents of ${sol(costs.rentsNow)} as things are now, or ${sol(costs.rentsMax)} at most`
  const others = costs.rentsGoTo.filter(address => address !== payer)
  return others.length === 0 ? `${rents}.` : `${rents}. Rents can end with ${others.join(' and ')}.`
}

/** Refuses transactions that could cost the payer more than the caller allows. */
export function assertWithin({ fees, rentsMax }: PayerCosts, payerMax: bigint | undefined): void {
  const most = fees + rentsMax
  if (payerMax === undefined || most <= payerMax) return
  const message = `is ${payerMax}, but the payer can pay up to ${most} lamports`
  throw new ServiceError('PAYER_LIMIT', { details: [{ path: ['payerMax'], message, allowed: `${most}` }] })
}
