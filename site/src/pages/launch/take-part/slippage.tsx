import { Field } from '../../../components/field.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { parseSlippage, SLIPPAGES, type Slippage } from './parse-slippage.ts'
import styles from './take-part.module.css'

/** How much less than quoted a trade may give. */
export function SlippageField({
  value,
  isSubmitted,
  onChange,
}: {
  value: Slippage
  isSubmitted: boolean
  onChange(value: Slippage): void
}) {
  const isInvalid = value.choice === 'own' && parseSlippage(value) === undefined
  return (
    <div className={styles.slippage}>
      <div className={styles.slippageChoice}>
        <span aria-hidden="true">Slippage</span>
        <Tabs
          label="Slippage: how much less than quoted you accept"
          choices={SLIPPAGES}
          current={value.choice}
          onChoose={choice => onChange({ ...value, choice })}
        />
      </div>
      {value.choice === 'own' && (
        <Field
          label="Your slippage"
          inputMode="decimal"
          value={value.own}
          onChange={event => onChange({ ...value, own: event.target.value })}
          error={
            isInvalid && (isSubmitted || value.own !== '')
              ? 'Enter a percentage from 0 to 50, such as 2.5.'
              : undefined
          }
          suffix="%"
        />
      )}
    </div>
  )
}
