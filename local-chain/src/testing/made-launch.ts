import { grossForNet } from '@slipway/launch-model/fees'
import type { Address } from '@solana/kit'
import type { ChainAccount } from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import { createKeypair, createTransaction, type Keypair } from '../ledger/keypair.ts'
import { genesis } from '../programs/genesis/genesis.ts'
import { CREATOR_FEE_BPS } from '../programs/genesis/launch/add-bucket.ts'
import { PROTOCOL_FEE_BPS } from '../programs/genesis/launch/bonding-curve.ts'
import { raydiumPrograms } from '../programs/raydium/raydium.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { buyOnCurve, graduate, toInstruction, triggerBehaviors } from '../world/calls.ts'
import { launchAddresses } from '../world/launch-addresses.ts'
import { curveCost, type LaunchTerms, listCreation, planLaunch } from '../world/plan-launch.ts'
import { createManualChain, SOL } from './start-chain.ts'

export type MadeLaunch = ReturnType<typeof makeLaunch>

/** Creates a launch by the instructions of the demo. A curve is bought from until it has taken in its deposits. */
export function makeLaunch(chain: Chain, terms: Partial<LaunchTerms> & { at?: number } = {}) {
  const [maker, mint] = [createKeypair(), createKeypair()]
  const { mechanic = 'launchpoolV2', at = chain.clock.unixTime(chain.clock.slot()), ...more } = terms
  const addresses = launchAddresses(mint.address, mechanic)
  const launch = { mint: mint.address, mechanic, addresses }
  const isFull = more.amm?.graduatedAt !== undefined
  const plan = planLaunch({
    mechanic,
    mint: mint.address,
    wallet: maker.address,
    token: { name: 'Made', symbol: 'MADE', uri: '' },
    startTime: isFull ? at : 1_800_000_000,
    endTime: 1_800_100_000,
    depositedLamports: 0n,
    ...more,
  })
  const send = (signers: readonly [Keypair, ...Keypair[]], instructions: readonly Instruction[]) => {
    const blockhash = chain.clock.blockhash(chain.clock.slot())
    const { err, logs } = chain.submitAt(createTransaction(signers, instructions, blockhash), at)
    if (err !== null) throw new Error(`${JSON.stringify(err)}\n${logs.join('\n')}`)
  }
  chain.mint(maker.address, 10n * SOL)
  for (const instructions of listCreation(plan)) send([maker, mint], instructions)

  const net = isFull ? curveCost() + SOL : (more.depositedLamports ?? 0n)
  if (net > 0n) {
    const fees = [PROTOCOL_FEE_BPS, ...(more.creatorWallet ? [CREATOR_FEE_BPS] : [])]
    const lamports = grossForNet(
      net,
      fees.map(amount => ({ type: 0, amount })),
    )
    chain.mint(maker.address, lamports)
    send([maker], buyOnCurve(maker.address, launch, lamports).map(toInstruction))
  }
  if (isFull) {
    const bucket = { kind: 'raydiumCpmmV2', address: addresses.amm } as const
    send([maker], triggerBehaviors(maker.address, launch, bucket).map(toInstruction))
    const options = { environment: 'mainnet', creatorFee: more.creatorWallet !== undefined } as const
    send([maker], graduate(maker.address, launch, options).map(toInstruction))
  }
  return { ...addresses, addresses, mint: mint.address, maker }
}

/**
 * The same on a chain of its own, as accounts to write: for chains whose Genesis is a public binary, which creates no
 * curves, and for histories that are to begin later.
 */
export function buildMadeLaunch(terms: Parameters<typeof makeLaunch>[1]) {
  const { chain } = createManualChain({ standIns: [genesis, ...raydiumPrograms] })
  const accounts = new Map<Address, ChainAccount | undefined>()
  chain.on('commit', commit => {
    for (const [address, account] of commit.accounts) accounts.set(address, account)
  })
  const made = makeLaunch(chain, terms)
  accounts.delete(made.maker.address)
  return { made, accounts }
}
