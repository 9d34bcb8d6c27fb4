import { formatAmount } from '@slipway/client'
import { Facts } from '../../components/facts.tsx'
import { FormSection } from '../../components/form-layout.tsx'
import { countTransactions } from './build-launch.ts'
import type { Draft } from './draft.ts'
import styles from './form.module.css'
import { parseSol, QUOTE_DECIMALS } from './launch-numbers.ts'

const FEE_LAMPORTS = 5_000

/** What is known of the costs before anything is built. */
export function CostSection({ draft }: { draft: Draft }) {
  const transactions = countTransactions(draft)
  const firstBuy = draft.mechanic === 'bondingCurve' ? parseSol(draft.firstBuy) : undefined
  // The token's own key signs the first transaction too.
  const fee = formatAmount(`${(transactions + 1) * FEE_LAMPORTS}`, QUOTE_DECIMALS)
  return (
    <FormSection title="Cost">
      <Facts
        facts={[
          ['Transactions', `${transactions}, signed at once and sent in order`],
          ['Network fee', `${fee} SOL`],
          ['Your first buy', firstBuy === undefined ? undefined : `${firstBuy} SOL`],
          ['Rent of new accounts', 'The first transaction’s is simulated before you sign'],
          ['Fee of this service', 'None'],
        ]}
      />
      <p className={styles.note}>
        A launch that is complete can’t be changed. Try it on a test network first.
      </p>
    </FormSection>
  )
}
