import type { Network } from '@slipway/client'
import { FormSection } from '../../components/form-layout.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { NETWORK_NAMES } from '../../lib/format.ts'
import type { Mechanic } from './draft.ts'
import styles from './form.module.css'
import type { SectionProps } from './section.ts'

const MECHANICS: { value: Mechanic; name: string; text: string }[] = [
  {
    value: 'bondingCurve',
    name: 'Bonding curve',
    text: 'Anyone buys and sells from the first minute. Each purchase raises the price. When everything is sold, trading moves to a pool.',
  },
  {
    value: 'launchpool',
    name: 'Launch pool',
    text: 'People deposit until a date. Everyone pays the same price, and gets the money back if the goal is missed.',
  },
]

/** How it is launched. */
export function MechanicSection({
  draft,
  faults,
  onChange,
  network,
  networks,
}: SectionProps & { network: Network; networks: Network[] }) {
  return (
    <FormSection title="How">
      <div className={styles.fields}>
        <fieldset className={styles.mechanics}>
          <legend className="unseen">Mechanic</legend>
          {MECHANICS.map(({ value, name, text }) => (
            <label key={value} className={styles.mechanic}>
              <input
                type="radio"
                name="mechanic"
                value={value}
                checked={draft.mechanic === value}
                onChange={() => onChange({ mechanic: value })}
              />
              <span>
                <b>{name}</b>
                <span className={styles.note}>{text}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <p className={styles.note}>
          This form sells for SOL. The API can also launch as an agent, take another token than SOL, and give
          tokens to other wallets. Presales, vesting and existing tokens are not supported.
        </p>
        {networks.length > 1 && (
          <div className={styles.network}>
            <b>Network</b>
            <Tabs
              label="Network"
              choices={networks.map(one => ({
                value: one,
                text: NETWORK_NAMES[one] ?? one,
              }))}
              current={network}
              onChoose={one => onChange({ network: one })}
            />
            {faults.network && (
              <p role="alert" className={styles.faulty}>
                {faults.network}
              </p>
            )}
          </div>
        )}
      </div>
    </FormSection>
  )
}
