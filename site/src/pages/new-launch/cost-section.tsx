import { formatAmount, type Network } from '@slipway/client'
import { FormCosts } from '../../components/form-costs.tsx'
import { formatNumber, networkName } from '../../lib/format.ts'
import { FEE_LAMPORTS } from '../../lib/native.ts'
import { countTransactions, RENT } from './build-launch.ts'
import type { Draft } from './draft.ts'
import styles from './form.module.css'
import { parseSol, QUOTE_DECIMALS } from './launch-numbers.ts'

export function CostSection({
  draft,
  network,
  totalSol,
}: {
  draft: Draft
  network: Network
  totalSol: number
}) {
  const transactions = countTransactions(draft)
  const firstBuy = draft.mechanic === 'bondingCurve' ? parseSol(draft.firstBuy) : undefined
  // The token's own key signs the first transaction too.
  const fee = formatAmount(`${(transactions + 1) * FEE_LAMPORTS}`, QUOTE_DECIMALS)
  return (
    <FormCosts
      facts={[
        ['Transactions', `Up to ${transactions}, signed at once and sent in order`],
        ['Network fee', `Up to ${fee} SOL`],
        ['Your first buy', firstBuy === undefined ? undefined : `${formatNumber(firstBuy)} SOL`],
        [
          'Rent and program fees',
          `About ${RENT[draft.mechanic]} SOL for its accounts and liquidity pool, not refunded`,
        ],
      ]}
      totalSol={totalSol}
      shortage="the launch would stop halfway."
      network={network}
    >
      <p className={styles.note}>
        Once a launch is complete, only its links can be changed.
        {network !== 'chain-devnet' && ` Try it on ${networkName('chain-devnet')} first.`}
      </p>
    </FormCosts>
  )
}
