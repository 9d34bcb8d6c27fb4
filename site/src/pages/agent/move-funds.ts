import { type Agent, formatAmount, type Network, type Slipway, type WalletToken } from '@slipway/client'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Action } from '../../actions/action.ts'
import { agentTitle } from '../../lib/agents.ts'
import { formatExactly, NATIVE_DECIMALS, shorten } from '../../lib/format.ts'
import type { Intent } from '../../transactions/intent.ts'

export type Way = 'fund' | 'withdraw'

/** What is moved: native currency, or a token. */
export interface Asset {
  /** Empty for native currency. */
  mint: string
  symbol: string
  decimals: number
  /** What the agent has of it; undefined while that is not known. */
  held: string | undefined
}

/** Native currency, then the tokens that can be moved this way. */
export const listAssets = (
  way: Way,
  balance: string | undefined,
  tokens: readonly WalletToken[],
): [Asset, ...Asset[]] => [
  { mint: '', symbol: 'SOL', decimals: NATIVE_DECIMALS, held: balance },
  ...tokens.filter(token => canMove(token, way)).map(toAsset),
]

const canMove = ({ mint, restriction }: WalletToken, way: Way) =>
  (restriction === null || restriction === 'fee') && (way === 'withdraw' || mint !== WRAPPED_NATIVE_MINT)

const toAsset = ({ mint, symbol, decimals, amount, known }: WalletToken): Asset => ({
  mint,
  symbol:
    mint === WRAPPED_NATIVE_MINT ? 'wrapped SOL' : known && symbol ? symbol : `${symbol} ${shorten(mint)}`,
  decimals,
  held: amount,
})

interface Move {
  way: Way
  agent: Agent
  network: Network
  sender: string
  asset: Asset
  units: bigint
  /** Only for funding. */
  note: string
}

export const moveKey = ({ way, network, agent }: Pick<Move, 'way' | 'network' | 'agent'>) =>
  `${way}:${network}:${agent.address}`

/** Pays into the agent's wallet, or back to its owner. */
export function createMove(slipway: Slipway, move: Move): Omit<Action, 'onConfirmed' | 'onInvalid'> {
  const { way, agent, network, sender, asset, units, note } = move
  const { mint, decimals, held, symbol } = asset
  const key = moveKey(move)
  const isNative = mint === ''
  const isSol = isNative || mint === WRAPPED_NATIVE_MINT
  const isAllWrapped = way === 'withdraw' && mint === WRAPPED_NATIVE_MINT && `${units}` === held
  const text = formatAmount(`${units}`, decimals)
  const request = {
    sender,
    amount: isAllWrapped ? 'all' : isNative ? Number(text) : text,
    ...(!isNative && { mint }),
    network,
  }
  const common = { key, draft: key, network }
  if (way === 'fund')
    return {
      ...common,
      title: `Fund ${agentTitle(agent)}`,
      async build(signal) {
        const { tx, blockhash } = await slipway.agents.fund(
          agent.address,
          { ...request, memo: note },
          { signal },
        )
        return { transactions: [tx], blockhash, intent: describeIntent(move, units) }
      },
      done: 'The agent has the funds.',
    }
  return {
    ...common,
    title: `Withdraw from ${agentTitle(agent)}`,
    async build(signal) {
      const { tx, blockhash } = await slipway.agents.withdraw(agent.address, request, { signal })
      return {
        transactions: [tx],
        blockhash,
        intent: describeIntent(move, isAllWrapped ? 'all' : units),
        ...(isAllWrapped && { income: [{ units, decimals, symbol: 'SOL' }] }),
      }
    },
    ...(held !== undefined &&
      BigInt(held) > units && {
        paymentNote: `${formatExactly(BigInt(held) - units, decimals)} ${symbol} stays in the agent’s wallet`,
      }),
    done: isSol ? `You got ${text} SOL.` : `You got about ${text} ${symbol}.`,
    // A token may take a fee for its transfer.
    ...(!isSol && {
      result(changes) {
        const got = changes.get(mint) ?? 0n
        return got > 0n ? `You got ${formatExactly(got, decimals)} ${symbol}.` : undefined
      },
    }),
  }
}

function describeIntent({ way, agent, asset, units, note }: Move, amount: bigint | 'all'): Intent {
  const common = { agent: agent.address, agentWallet: agent.walletAddress }
  const token = { ...common, mint: asset.mint, decimals: asset.decimals }
  if (way === 'fund')
    return asset.mint === ''
      ? { kind: 'fund', ...common, lamports: units, memo: note }
      : { kind: 'fund-token', ...token, amount: units, memo: note }
  return asset.mint === ''
    ? { kind: 'withdraw', ...common, lamports: units }
    : { kind: 'withdraw-token', ...token, amount }
}
