import { formatAmount, type Network } from '@slipway/client'
import { FormCosts } from '../../components/form-costs.tsx'
import { formatNumber, formatUnits, networkName } from '../../lib/format.ts'
import { FEE_LAMPORTS, NATIVE_DECIMALS } from '../../lib/native.ts'
import { countTransactions, type launchCost } from './build-launch.ts'
import type { Draft } from './draft.ts'
import styles from './form.module.css'
import { parseSol, QUOTE_DECIMALS } from './launch-numbers.ts'

export function CostSection({
  draft,
  network,
  cost,
}: {
  draft: Draft
  network: Network
  cost: ReturnType<typeof launchCost> | undefined
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
          cost &&
            `About ${formatUnits(cost.accounts, NATIVE_DECIMALS)} SOL for its accounts and liquidity pool, not refunded`,
        ],
      ]}
      totalLamports={cost?.total}
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
