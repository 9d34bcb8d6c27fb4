import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { isOnCurve } from '@slipway/launch-model/bytes/program-address'
import type { LaunchOutline } from '@slipway/launch-model/plan/outline-launch'
import { toUnits, U64_MAX } from '@slipway/launch-model/plan/to-units'
import { SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { CreateLaunchBody, LaunchInput } from '@slipway/schema/create-launch'
import type { ErrorDetail } from '@slipway/schema/errors'
import { BPS_MAX } from '@slipway/schema/launch-allocations'
import { checkConditions } from './check-conditions.ts'

/**
 * Everything wrong with a launch that the request itself shows. The program does not check most of this, and a
 * finalized launch cannot be corrected.
 */
export function checkLaunch(
  body: Pick<CreateLaunchBody, 'wallet' | 'launch' | 'mint' | 'agent'>,
  outline: LaunchOutline,
  nowSeconds: number,
): ErrorDetail[] {
  const { wallet, launch } = body
  const details: ErrorDetail[] = []
  if (launch.publicKey !== wallet)
    details.push({ path: 'launch.publicKey', message: 'must be the same as wallet' })
  const type = launch.type === 'launchpool' ? 'launchpoolV2' : 'bondingCurveV2'
  const [primary, ...more] = outline.primaries
  if (!primary || more.length > 0 || primary.allocation.type !== type) {
    details.push({ path: 'launch.allocations', message: `must have exactly one ${type} allocation` })
    // Other checks would only repeat this error.
    return details
  }
  return [
    ...details,
    ...checkKeys(body, outline),
    ...checkSupplies(launch, outline),
    ...checkShares(outline),
    ...checkSchedules(outline),
    ...checkConditions(outline, nowSeconds),
  ]
}

const UNITS_EXPECTED = 'must be from one smallest unit to 2^64 - 1 units'

function checkSupplies({ supply, decimals }: LaunchInput, outline: LaunchOutline): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const total = toUnits(supply, decimals)
  if (!total) details.push({ path: 'launch.supply', message: UNITS_EXPECTED })
  let allocated = 0n
  const add = (path: string, tokens: number, isEmptyAllowed = false) => {
    const units = toUnits(tokens, decimals)
    if (units === undefined) details.push({ path, message: 'does not fit into 64 bits' })
    else if (units === 0n && !isEmptyAllowed) details.push({ path, message: 'must be greater than 0' })
    allocated += units ?? 0n
  }
  for (const { allocation, path } of outline.primaries) {
    add(allocationPath(path), allocation.supply)
    if (allocation.type !== 'bondingCurveV2') continue
    const virtual = toUnits(allocation.bondingCurveV2.virtualBaseTokens, decimals)
    const virtualPath = `${path}.virtualBaseTokens`
    if (!virtual) details.push({ path: virtualPath, message: UNITS_EXPECTED })
    else if (virtual + (toUnits(allocation.supply, decimals) ?? 0n) > U64_MAX)
      details.push({ path: virtualPath, message: 'must be at most 2^64 - 1 units together with supply' })
  }
  for (const { supply: tokens, path } of outline.pools) add(`${path}.supply`, tokens)
  for (const { supply: tokens, path } of outline.unlocked) {
    const isFlow = path.includes('.fundFlows.')
    add(isFlow ? `${path}.supply` : allocationPath(path), tokens, isFlow)
  }
  if (details.length === 0 && allocated !== total) {
    const message = `the supplies add up to ${allocated} of ${total} smallest units`
    details.push({ path: 'launch.allocations', message })
  }
  return details
}

/** The supply of an allocation is beside the part that the path names. */
const allocationPath = (path: string) => path.replace(/\.\w+$/, '.supply')

function checkShares({ primaries, pools, shares }: LaunchOutline): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const path = `${primaries[0]?.path}.fundFlows`
  const sum = shares.reduce((all, { percentageBps }) => all + percentageBps, 0)
  if (sum !== BPS_MAX) details.push({ path, message: `the percentageBps add up to ${sum}, not ${BPS_MAX}` })
  if (pools.length > 1) details.push({ path, message: 'must have at most one RaydiumLP flow' })
  for (const { path: flow, percentageBps, to } of shares)
    if (to === 'pool' && percentageBps === 0)
      details.push({ path: `${flow}.percentageBps`, message: 'must be greater than 0' })
  return details
}

/** A line needs two points at different times, and a lock's period must fit into its duration. */
function checkSchedules({ primaries, pools }: LaunchOutline): ErrorDetail[] {
  const details: ErrorDetail[] = []
  for (const { allocation, path } of primaries) {
    if (allocation.type !== 'launchpoolV2') continue
    for (const name of ['depositBonus', 'withdrawPenalty'] as const) {
      const line = allocation.launchpoolV2[name]
      if (line?.enabled && line.point1TimeBps === line.point2TimeBps)
        details.push({ path: `${path}.${name}.point2TimeBps`, message: 'must differ from point1TimeBps' })
    }
  }
  for (const { lpLockSchedule: lock, path } of pools)
    if (lock?.enabled && lock.period > lock.duration)
      details.push({ path: `${path}.lpLockSchedule.period`, message: 'must not be longer than duration' })
  return details
}

/** Keys that must sign and cannot, and an address that cannot be a wallet. */
function checkKeys(
  { wallet, mint, agent }: Pick<CreateLaunchBody, 'wallet' | 'mint' | 'agent'>,
  { primaries, pools, unlocked }: LaunchOutline,
): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const refuse = (path: string, message: string) => details.push({ path, message })
  const checkReceiver = (path: string, address: Address) => {
    // Its bytes are all 0, which the program reads as no wallet.
    if (address === SYSTEM_PROGRAM) refuse(path, 'must not be the system program')
  }
  const checkFee = (path: string, fee: LaunchOutline['pools'][number]['creatorFee']) => {
    if (fee?.enabled) checkReceiver(`${path}.creatorFee.wallet`, fee.wallet)
  }
  if (!canSign(wallet)) refuse('wallet', 'must be a key that can sign')
  if (mint && !canSign(mint)) refuse('mint', 'must be a key that can sign')
  if (mint === wallet) refuse('mint', 'must not be the same key as wallet')
  for (const { allocation, path } of primaries) {
    if (allocation.type !== 'bondingCurveV2') continue
    const { firstBuy, creatorFee } = allocation.bondingCurveV2
    checkFee(path, creatorFee)
    if (!firstBuy?.enabled) continue
    const isAgent = agent && firstBuy.buyer === assetSignerAddress(agent.mint)
    if (!isAgent && !canSign(firstBuy.buyer))
      refuse(`${path}.firstBuy.buyer`, "must be a key that can sign, or the agent's wallet")
    if (firstBuy.buyer === mint) refuse(`${path}.firstBuy.buyer`, 'must not be the same key as mint')
  }
  for (const { creatorFee, path } of pools) checkFee(path, creatorFee)
  for (const { recipient, path } of unlocked) checkReceiver(`${path}.recipient`, recipient)
  return details
}

/** The system program's address is on the curve too. */
const canSign = (key: Address): boolean => key !== SYSTEM_PROGRAM && isOnCurve(addressBytes(key))
