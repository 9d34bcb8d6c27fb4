import type { ReactNode } from 'react'
import { Field } from '../../../components/field.tsx'
import { explainUnits } from '../../../lib/parse-units.ts'
import type { Preset } from './amounts.ts'
import styles from './take-part.module.css'

/** An amount, and a few that people often choose. */
export function AmountField({
  label,
  hint,
  amount,
  decimals,
  symbol,
  error,
  presets,
  onChange,
}: {
  label: string
  hint?: ReactNode
  amount: string
  decimals: number
  symbol: string
  error: string | undefined
  presets: readonly Preset[]
  /** `isMost`: they chose all that they have. */
  onChange(amount: string, isMost: boolean): void
}) {
  return (
    <div className={styles.amount}>
      <Field
        label={label}
        hint={hint}
        inputMode="decimal"
        placeholder="0"
        value={amount}
        onChange={event => onChange(event.target.value, false)}
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
              onClick={() => onChange(preset.amount, preset.isMost === true)}
            >
              {preset.text}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
