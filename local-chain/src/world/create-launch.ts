import { initializeV2InstructionDiscriminator } from '@metaplex-foundation/genesis'
import type { Address } from '@solana/kit'
import type { Chain } from '../ledger/create-chain.ts'
import type { LandedTransaction } from '../ledger/history.ts'
import { parseTransaction } from '../ledger/parse-transaction.ts'
import { GENESIS } from '../programs/genesis/checks.ts'
import { TOKEN_METADATA } from '../programs/genesis/token-metadata.ts'
import { type LaunchPlan, launchAddresses } from './launch-accounts.ts'
import { type LaunchLife, listLaunchSteps } from './launch-steps.ts'
import { type LaunchOptions, writeLaunch } from './write-launch.ts'

/** Creates a launch of the demo and everything that has happened to it, unless it exists. An interrupted one is completed. */
export function createLaunch(chain: Chain, options: LaunchOptions & LaunchLife): void {
  const { plan } = options
  const { genesis } = launchAddresses(plan.mint, plan.mechanic)
  if (canBeSent(chain, plan)) {
    const steps = listLaunchSteps(chain, options)
    for (const step of steps.slice(countDone(chain, genesis, steps.length))) step()
  } else if (!chain.account(genesis)) writeLaunch(chain, options)
}

/**
 * Whether instructions can create the launch. There is no stand-in for presales, and the public Genesis binary has neither
 * curves nor the present AMM bucket. That binary needs the one of Token Metadata, too.
 */
function canBeSent(chain: Chain, { mechanic, amm }: LaunchPlan): boolean {
  if (chain.standIns.includes(GENESIS)) return mechanic !== 'presaleV2'
  return mechanic === 'launchpoolV2' && !amm && chain.account(TOKEN_METADATA)?.executable === true
}

/**
 * How many steps of a launch are done: each is one transaction that names the launch. All of them are, if the oldest
 * transaction that is left is not the one that created the launch: the history is long, or the accounts were written.
 */
function countDone(chain: Chain, genesis: Address, all: number): number {
  if (!chain.account(genesis)) return 0
  const landed = [...chain.history.ofAddress(genesis)].filter(({ err }) => err === null)
  const oldest = landed.at(-1)
  return oldest && isInitialize(oldest) ? landed.length : all
}

function isInitialize({ wire, keys }: LandedTransaction): boolean {
  return parseTransaction(wire).instructions.some(
    ({ programIndex, data }) =>
      keys[programIndex] === GENESIS && data[0] === initializeV2InstructionDiscriminator,
  )
}
