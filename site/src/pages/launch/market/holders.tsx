import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Amount } from '../../../components/amount.tsx'
import { Button } from '../../../components/button.tsx'
import { plural } from '../../../lib/format.ts'
import { useSite } from '../../../lib/site-context.ts'
import styles from './market.module.css'
import type { MarketProps } from './market-props.ts'
import { describeLabel, formatHolding } from './market-words.ts'
import { holdersQuery } from './read-holders.ts'
import { WalletLink } from './wallet-link.tsx'

const HOLDERS_SHOWN = 10

/** Who holds most of the token. */
export function Holders({ data, network }: MarketProps) {
  const { slipway } = useSite()
  const [shown, setShown] = useState(HOLDERS_SHOWN)
  const { data: list, isError } = useQuery(holdersQuery(slipway, network, data.launch.genesisAddress))
  if (!list || list.holders.length === 0)
    return (
      <p role="status" className={styles.note}>
        {list
          ? 'No one holds this token yet.'
          : isError
            ? 'Holders are not available now.'
            : 'Reading the holders…'}
      </p>
    )
  const { mechanic, graduatedAt } = data.launch
  // A presale may also keep what it did not sell.
  const isHandedOut = graduatedAt !== null && wordsOf(mechanic).isShared === true
  return (
    <div className={styles.container}>
      <ol className={styles.holders}>
        {list.holders.slice(0, shown).map(({ owner, amount, share, label }) => (
          <li key={`${owner} ${amount}`}>
            <span className={styles.owner}>
              <WalletLink address={owner} network={network} />
              <Label label={label} isHandedOut={isHandedOut} />
            </span>
            <span className={styles.share}>{formatHolding(share)}</span>
            <Bar share={share} />
            <span className={styles.base}>
              <Amount units={amount} decimals={list.baseDecimals} symbol={data.baseToken.symbol} />
            </span>
          </li>
        ))}
      </ol>
      {list.unreadParts > 0 && (
        <p className={styles.footnote}>
          This version can’t read {plural(list.unreadParts, 'part')} of the launch. What such a part holds is
          listed without a label.
        </p>
      )}
      {list.holders.length > shown && (
        <div className={styles.more}>
          <Button onClick={() => setShown(list.holders.length)}>Show all {list.holders.length}</Button>
        </div>
      )}
    </div>
  )
}

function Label({ label, isHandedOut }: { label: string | null; isHandedOut: boolean }) {
  const text = describeLabel(label, isHandedOut)
  return text === undefined ? null : <span className={styles.mark}>{text}</span>
}

/** Drawn without style attributes, which the site's policy forbids. */
const Bar = ({ share }: { share: number }) => (
  <svg className={styles.bar} aria-hidden="true" width="100%" height="4">
    <rect width="100%" height="4" rx="2" className={styles.track} />
    <rect
      width={`${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`}
      height="4"
      rx="2"
      className={styles.fill}
    />
  </svg>
)
