import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import { buildPosition } from '../launches/deposits/build-position.ts'
import { stakeAccounts, toStake } from '../launches/deposits/read-stake.ts'
import { fetchLaunchShape } from '../launches/trading/launch-shape.ts'
import { readMarket } from '../launches/trading/read-market.ts'
import { formatUnits } from '../lib/format-units.ts'
import { OperatorError } from '../operator-error.ts'
import { type CommandContext, parseAddress } from './command-context.ts'
import { withStore } from './open-store.ts'
import { withChain } from './with-chain.ts'

/** Prints what a wallet has in a launch, whether the launch is registered or not. */
export async function showPosition(context: CommandContext): Promise<void> {
  const { network, output, operands } = context
  const launch = parseAddress(operands[0], 'genesis address')
  const wallet = parseAddress(operands[1], 'wallet')
  await withStore(context, 'read', ({ database }) =>
    withChain(context, database, async rpc => {
      const shape = await fetchLaunchShape(rpc, launch)
      if (!shape) throw new OperatorError(`There is no finalized launch on ${network} at ${launch}.`)
      const { cluster } = NETWORK_TABLE[network]
      const reading = await readMarket(rpc, cluster, shape, stakeAccounts(wallet)(shape))
      const position = buildPosition(toStake(reading, wallet))
      output.json({ launch, position })
      const unit = position.quoteMint === WRAPPED_NATIVE_MINT ? 'SOL' : 'quote tokens'
      const quote = (amount: string) => `${formatUnits(BigInt(amount), position.quoteDecimals)} ${unit}`
      const base = (amount: string) => formatUnits(BigInt(amount), position.baseDecimals)
      for (const line of [
        output.style('bold', `${wallet} in ${launch} on ${network}`),
        `deposited   ${quote(position.deposited)}, ${(position.share * 100).toFixed(4)} % of the sale`,
        `entitled    ${base(position.entitled)} tokens, ${base(position.claimed)} claimed`,
        `claimable   ${base(position.claimable)} tokens${position.nextClaim ? `, more at ${position.nextClaim}` : ''}`,
        `refundable  ${quote(position.refundable)}`,
        `proceeds    ${quote(position.proceeds)}`,
        `balance     ${base(position.balance)} tokens`,
        ...position.actions.map(({ action, reason }) => `${action.padEnd(11)} ${reason ?? 'possible now'}`),
      ])
        output.line(line)
    }),
  )
}
