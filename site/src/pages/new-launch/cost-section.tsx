import { formatAmount, type Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../../components/facts.tsx'
import { FormSection } from '../../components/form-layout.tsx'
import { formatNumber, formatUnits } from '../../lib/format.ts'
import { balanceQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import { countTransactions, RENT, sumCost } from './build-launch.ts'
import type { Draft } from './draft.ts'
import styles from './form.module.css'
import { parseSol, QUOTE_DECIMALS } from './launch-numbers.ts'

const FEE_LAMPORTS = 5_000

/** What is known of the costs before anything is built. */
export function CostSection({ draft, network }: { draft: Draft; network: Network }) {
  const balance = useBalance(network)
  const transactions = countTransactions(draft)
  const firstBuy = draft.mechanic === 'bondingCurve' ? parseSol(draft.firstBuy) : undefined
  // The token's own key signs the first transaction too.
  const fee = formatAmount(`${(transactions + 1) * FEE_LAMPORTS}`, QUOTE_DECIMALS)
  return (
    <FormSection title="Cost">
      <Facts
        facts={[
          ['Transactions', `Up to ${transactions}, signed at once and sent in order`],
          ['Network fee', `Up to ${fee} SOL`],
          ['Your first buy', firstBuy === undefined ? undefined : `${formatNumber(firstBuy)} SOL`],
          [
            'Rent and program fees',
            `About ${RENT[draft.mechanic]} SOL for its accounts and liquidity pool, not refunded`,
          ],
          ['Fee of this service', 'None'],
          ['Total', `About ${formatNumber(sumCost(draft))} SOL`],
          ['Your balance', balance === undefined ? undefined : `${formatUnits(balance, QUOTE_DECIMALS)} SOL`],
        ]}
      />
      {balance !== undefined && Number(balance) / 10 ** QUOTE_DECIMALS < sumCost(draft) && (
        <p role="status" className={styles.faulty}>
          Your balance is too low: the launch would stop halfway. Fund the wallet first, or choose another
          account.
        </p>
      )}
      <p className={styles.note}>
        Once a launch is complete, only its links can be changed. Try it on a test network first.
      </p>
    </FormSection>
  )
}

/** The balance of the account that would pay, in lamports; undefined while it is not known. */
function useBalance(network: Network): string | undefined {
  const { settings } = useSite()
  const { account } = useWallet()
  const url = settings.rpc[network]?.url
  const { data } = useQuery({
    ...balanceQuery(url ?? '', network, account?.address ?? ''),
    enabled: url !== undefined && account?.networks.includes(network) === true,
  })
  return data
}
