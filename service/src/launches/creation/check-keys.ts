import type { Address } from '@slipway/schema/address'
import type { CreateLaunchBody } from '@slipway/schema/create-launch'
import type { ErrorDetail } from '@slipway/schema/errors'
import { assetSignerAddress } from '../../chain/addresses/addresses.ts'
import { addressBytes } from '../../chain/addresses/base58.ts'
import { isOnCurve } from '../../chain/addresses/program-address.ts'
import { SYSTEM_PROGRAM } from '../../chain/addresses/programs.ts'
import type { LaunchOutline } from './outline-launch.ts'

/** Keys that must sign and cannot, and an address that cannot be a wallet. */
export function checkKeys(
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
