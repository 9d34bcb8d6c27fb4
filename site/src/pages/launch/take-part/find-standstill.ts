import { type LaunchDetail, type LaunchPosition, type LaunchStatus, SlipwayError } from '@slipway/client'
import { REFUSALS, type Refusal } from '@slipway/launch-model/actions'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import type { Figures } from '../../../lib/launches.ts'

/** What keeps everyone from paying in, whatever the amount. Other refusals depend on what is typed. */
const STANDSTILLS = [
  'TRADING_NOT_STARTED',
  'TRADING_ENDED',
  'FIRST_BUY_OPEN',
  'SOLD_OUT',
  'TRADING_PAUSED',
  'NOT_PRICED',
  'RESTRICTED_TOKEN',
  'NEEDS_OPERATOR',
  'DEPOSITS_NOT_STARTED',
  'CAP_REACHED',
  'ALLOW_LIST_ONLY',
] as const satisfies readonly Refusal[]

/** Why nothing can be bought or deposited now. */
export type Standstill = (typeof STANDSTILLS)[number]

/** As the launch itself shows it, without a question to the chain. */
export function findStandstill({
  data,
  status,
  figures,
}: {
  data: LaunchDetail
  status: LaunchStatus
  figures: Figures | undefined
}): Standstill | undefined {
  const { raises, isShared } = wordsOf(data.launch.mechanic)
  if (status === 'upcoming') return raises ? 'DEPOSITS_NOT_STARTED' : 'TRADING_NOT_STARTED'
  if (status === 'graduated' || figures?.progress !== 1) return undefined
  // A launch pool takes deposits beyond its goal.
  return isShared ? undefined : raises ? 'CAP_REACHED' : 'SOLD_OUT'
}

/** As the service has refused an order. */
export const standstillOfError = (error: unknown): Standstill | undefined =>
  error instanceof SlipwayError ? STANDSTILLS.find(code => code === error.code) : undefined

/** As it concerns a wallet: a reserved first buy is open to its buyer. */
export function standstillOfPosition(
  { actions }: Pick<LaunchPosition, 'actions'>,
  action: 'buy' | 'deposit',
): Standstill | undefined {
  const reason = actions.find(one => one.action === action)?.reason
  return STANDSTILLS.find(code => REFUSALS[code] === reason)
}
