import { Field } from '../../../components/field.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import styles from './take-part.module.css'

const CHOICES = [
  { value: '0.5', text: '0.5%' },
  { value: '1', text: '1%' },
  { value: '5', text: '5%' },
  { value: 'own', text: 'Custom' },
] as const

export interface Slippage {
  choice: (typeof CHOICES)[number]['value']
  own: string
}
export const SLIPPAGE: Slippage = { choice: '1', own: '' }

const BPS_MAX = 5_000

/** In basis points; undefined if it is no percentage from 0 to 50. */
export function parseSlippage({ choice, own }: Slippage): number | undefined {
  const text = choice === 'own' ? own.trim().replace(',', '.') : choice
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text)) return undefined
  const bps = Math.round(Number(text) * 100)
  return bps <= BPS_MAX ? bps : undefined
}

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
          choices={CHOICES}
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
