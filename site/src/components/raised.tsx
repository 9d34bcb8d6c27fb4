import { quoteSymbol } from '../lib/format.ts'
import type { Figures } from '../lib/launches.ts'
import { Amount } from './amount.tsx'
import styles from './raised.module.css'

/** What was raised, and of how much if there is a goal: `182.4 of 250 SOL`. */
export const Raised = ({
  figures: { raised, goal, quoteMint, quoteDecimals },
}: {
  figures: Pick<Figures, 'raised' | 'goal' | 'quoteMint' | 'quoteDecimals'>
}) => (
  <>
    <Amount units={raised} decimals={quoteDecimals} />
    <span className={styles.goal}>
      {goal !== null && (
        <>
          {' of '}
          <Amount units={goal} decimals={quoteDecimals} />
        </>
      )}{' '}
      {quoteSymbol(quoteMint)}
    </span>
  </>
)
