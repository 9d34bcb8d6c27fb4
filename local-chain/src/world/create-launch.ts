import type { Address } from '@solana/kit'
import type { Chain } from '../ledger/create-chain.ts'
import type { LandedTransaction } from '../ledger/history.ts'
import { GENESIS } from '../programs/genesis/checks.ts'
import { TOKEN_METADATA } from '../programs/genesis/token-metadata.ts'
import type { LaunchPlan } from './launch-accounts.ts'
import { launchAddresses } from './launch-addresses.ts'
import { type LaunchLife, listLaunchSteps } from './launch-steps.ts'
import { type LaunchOptions, writeLaunch } from './write-launch.ts'

/**
 * Creates a launch of the demo and everything that has happened to it, unless it exists. An interrupted one is
 * completed.
 */
export function createLaunch(chain: Chain, options: LaunchOptions & LaunchLife): void {
  const { plan } = options
  if (canBeSent(chain, options)) {
    const steps = listLaunchSteps(chain, options)
    for (const step of steps.slice(countDone(chain, plan, steps.length))) step()
  } else if (!chain.account(launchAddresses(plan.mint, plan.mechanic).genesis)) writeLaunch(chain, options)
}

/**
 * Whether instructions can create the launch. Genesis creates no Token-2022 mints, and its public binary has neither
 * curves nor the present AMM bucket. That binary also needs the binary of Token Metadata.
 */
function canBeSent(chain: Chain, { plan: { mechanic, amm }, token2022 }: LaunchOptions): boolean {
  if (token2022) return false
  if (chain.standIns.includes(GENESIS)) return true
  return mechanic !== 'bondingCurveV2' && !amm && chain.account(TOKEN_METADATA)?.executable === true
}

/**
 * How many steps of a launch are done: each is one transaction that names the launch. If the oldest transaction in
 * the history did not create the launch, all steps are done: the history is long, or the accounts were written
 * directly.
 */
function countDone(chain: Chain, { mint, mechanic }: LaunchPlan, all: number): number {
  const { genesis } = launchAddresses(mint, mechanic)
  if (!chain.account(genesis)) return 0
  const landed = [...chain.history.ofAddress(genesis)].filter(({ err }) => err === null)
  const oldest = landed.at(-1)
  return oldest && isInitialize(oldest, mint) ? landed.length : all
}

/** Whether the transaction created the launch of this mint by an instruction. The mint signs no other one. */
function isInitialize({ wire, keys, logs }: LandedTransaction, mint: Address): boolean {
  const signers = keys.slice(0, wire[0])
  return signers.includes(mint) && logs.includes(`Program ${GENESIS} invoke [1]`)
}
