import type { VerifiedAccount } from '../../social/verify-account.tsx'
import type { Faults } from './check-draft.ts'
import type { Draft } from './draft.ts'
import type { StartedLaunch } from './started-launches.tsx'

/** The faults that the API has found in the request. */
interface Refusal {
  faults: Faults
  others: string[]
}

/** How far a launch has come, from the form to its registration. */
export interface LaunchFlow {
  refusal: Refusal
  /** Why a launch could not be continued. */
  problem: { genesisAccount: string; text: string } | undefined
  /** The launch whose transactions are being signed or sent, or were last. */
  current: StartedLaunch | undefined
  /** The launch that is on the chain and is being registered. */
  complete: StartedLaunch | undefined
  verified: VerifiedAccount | undefined
}

export type LaunchEvent =
  | { type: 'submitted' }
  | { type: 'refused'; refusal: Refusal }
  | { type: 'edited'; change: Partial<Draft> }
  | { type: 'verified'; account: VerifiedAccount | undefined }
  /** Transactions are signed, or one of them is confirmed. */
  | { type: 'progressed'; started: StartedLaunch }
  | { type: 'continued'; started: StartedLaunch }
  | { type: 'not-continued'; genesisAccount: string; text: string }
  | { type: 'completed'; started: StartedLaunch }
  | { type: 'registered' }
  | { type: 'left' }

const NO_REFUSAL: Refusal = { faults: {}, others: [] }

export const FIRST_FLOW: LaunchFlow = {
  refusal: NO_REFUSAL,
  problem: undefined,
  current: undefined,
  complete: undefined,
  verified: undefined,
}

export function reduceLaunch(flow: LaunchFlow, event: LaunchEvent): LaunchFlow {
  switch (event.type) {
    case 'submitted':
      return { ...flow, refusal: NO_REFUSAL }
    case 'refused':
      return { ...flow, refusal: event.refusal }
    case 'edited': {
      const { faults, others } = flow.refusal
      const left = Object.entries(faults).filter(([name]) => !(name in event.change))
      return {
        ...flow,
        refusal: { faults: Object.fromEntries(left), others },
        // The proof is about one account, so another link has none.
        ...(event.change.social !== undefined && { verified: undefined }),
      }
    }
    case 'verified':
      return { ...flow, verified: event.account }
    case 'progressed':
      return { ...flow, current: event.started }
    case 'continued':
      return { ...flow, current: event.started, problem: undefined }
    case 'not-continued':
      return { ...flow, problem: event }
    case 'completed':
      return { ...flow, complete: event.started, problem: undefined }
    case 'registered':
      return { ...flow, verified: undefined }
    case 'left':
      return { ...flow, complete: undefined }
  }
}

/** Whether a draft describes a launch that was begun already. Creating it would make a second one. */
export const isSameLaunch = (
  { name, symbol }: Pick<Draft, 'name' | 'symbol'>,
  network: string,
  { request: { launch }, network: begunOn }: StartedLaunch,
): boolean => network === begunOn && name.trim() === launch.name && symbol.trim() === launch.symbol
