import type { LaunchPosition } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { Amount } from '../../../components/amount.tsx'
import { Facts } from '../../../components/facts.tsx'
import { Time } from '../../../components/time.tsx'
import { formatShare, formatUnits } from '../../../lib/format.ts'
import { isOpenPool, nameNextClaim } from '../../../lib/launches.ts'
import { useNow } from '../../../lib/now.ts'
import { holdsAnything } from './find-offer.ts'
import styles from './take-part.module.css'
import { symbolsOf, type Taking } from './taking.ts'

/** What the wallet has here, and what its last transaction on this page has changed. */
export function PositionFacts({
  taking,
  position,
  before,
}: {
  taking: Taking
  position: LaunchPosition
  /** As it was before that transaction. */
  before: LaunchPosition | undefined
}) {
  const symbols = symbolsOf(taking)
  const isShared = wordsOf(taking.data.launch.mechanic).isShared
  const isOpen = isOpenPool(taking.data, useNow('minute'))
  const isGraduated = taking.data.launch.graduatedAt !== null
  const { quoteDecimals, baseDecimals } = taking.tokens
  const { balance, deposited, share, entitled, claimed, nextClaim, refundable } = position
  const isOlder = before !== undefined && before.wallet === position.wallet && before.slot < position.slot
  const known = isOlder ? before : undefined
  const base = (units: string, was: string | undefined) => (
    <Held units={units} was={was} decimals={baseDecimals} symbol={symbols.base} />
  )
  const hasDeposit = deposited !== '0' || (known !== undefined && known.deposited !== '0')
  if (!known && !holdsAnything(position)) return null
  return (
    <section className={styles.position} aria-label="Your position" aria-live="polite">
      <h3>Your position</h3>
      <Facts
        facts={[
          [
            'Deposited',
            hasDeposit && (
              <Held
                units={deposited}
                was={known?.deposited}
                decimals={quoteDecimals}
                symbol={symbols.quote}
              />
            ),
          ],
          ['Share of the sale', isShared && share > 0 && refundable === '0' && formatShare(share)],
          [isOpen ? 'Your tokens so far' : 'Entitled to', entitled !== '0' && base(entitled, undefined)],
          ['Claimed', claimed !== '0' && base(claimed, undefined)],
          ['In your wallet', base(balance, known?.balance)],
          ['Not counted', position.unreadParts > 0 && 'What is in parts that this version can’t read'],
          [nameNextClaim(position, isGraduated), nextClaim !== null && <Time at={nextClaim} />],
        ]}
      />
    </section>
  )
}

function Held({
  units,
  was,
  decimals,
  symbol,
}: {
  units: string
  was: string | undefined
  decimals: number
  symbol: string
}) {
  const change = was === undefined ? 0n : BigInt(units) - BigInt(was)
  return (
    <>
      <Amount units={units} decimals={decimals} symbol={symbol} />
      {/* What was sold, withdrawn or refunded is said as what it brought. */}
      {change > 0n && <span className={styles.change}>+{formatUnits(change, decimals)} just now</span>}
    </>
  )
}
