import { formatAmount } from '@slipway/client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { explainUnits } from '../lib/parse-units.ts'
import styles from './amount-field.module.css'
import { Field } from './fields.tsx'

/** An amount that people often choose. */
export interface Preset {
  text: string
  amount: string
}

/** An amount, and a few that people often choose. */
export function AmountField({
  label,
  held,
  amount,
  decimals,
  symbol,
  error,
  presets = [],
  findMost,
  onChange,
}: {
  label: string
  /** What the wallet has. */
  held: ReactNode
  amount: string
  decimals: number
  symbol: string
  error: string | undefined
  presets?: readonly Preset[]
  /** Finds the most that can be paid, in the smallest unit. Undefined if there is nothing to pay with. */
  findMost?: (() => Promise<bigint>) | undefined
  onChange(amount: string): void
}) {
  const typed = useRef(amount)
  typed.current = amount
  const [isFinding, setFinding] = useState(false)
  // Another account has another field.
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  async function fillInMost() {
    if (isFinding) return
    setFinding(true)
    const most = await findMost?.().finally(() => setFinding(false))
    // Meanwhile, another amount may have been typed.
    if (most !== undefined && typed.current === amount && !isGone.current)
      onChange(formatAmount(most, decimals))
  }

  return (
    <div className={styles.amount}>
      <Field
        label={label}
        hint={
          held && (
            <>
              {held}
              {findMost && (
                <button
                  type="button"
                  className={`text-button ${styles.most}`}
                  aria-disabled={isFinding}
                  onClick={() => void fillInMost()}
                >
                  Max
                </button>
              )}
            </>
          )
        }
        inputMode="decimal"
        placeholder="0"
        value={amount}
        onChange={event => onChange(event.target.value)}
        error={error}
        suffix={
          <>
            {explainUnits(amount, decimals)} <bdi>{symbol}</bdi>
          </>
        }
      />
      {presets.length > 0 && (
        <fieldset className={styles.presets}>
          <legend className="unseen">Amounts</legend>
          {presets.map(preset => (
            <button
              key={preset.text}
              type="button"
              aria-pressed={preset.amount === amount}
              onClick={() => onChange(preset.amount)}
            >
              {preset.text}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
