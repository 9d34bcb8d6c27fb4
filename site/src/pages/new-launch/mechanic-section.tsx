import type { Network } from '@slipway/client'
import { WORDS } from '@slipway/launch-model/kinds/words'
import { FormSection } from '../../components/form-layout.tsx'
import { canSignFor, NetworkField } from '../../components/network-field.tsx'
import { useWallet } from '../../wallet/wallet-store.ts'
import type { Mechanic } from './draft.ts'
import styles from './form.module.css'
import type { SectionProps } from './section.ts'

const MECHANICS: { value: Mechanic; name: string; text: string }[] = [
  {
    value: 'bondingCurve',
    name: WORDS.bondingCurveV2.title,
    text: 'Anyone can buy and sell from the first minute. Each purchase raises the price. When everything is sold, trading moves to a pool.',
  },
  {
    value: 'launchpool',
    name: WORDS.launchpoolV2.title,
    text: 'People deposit until a date. Everyone pays the same price, and gets a refund if the goal is missed.',
  },
]

/** How it is launched. */
export function MechanicSection({
  draft,
  faults,
  onChange,
  network,
  networks,
}: SectionProps & { network: Network; networks: readonly Network[] }) {
  const { account } = useWallet()
  return (
    <FormSection title="How it sells">
      <div className={styles.fields}>
        <fieldset className={styles.mechanics}>
          <legend className="unseen">How it sells</legend>
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
          This form sells for SOL. The API can also take a token other than SOL, and give tokens to other
          wallets.
        </p>
        {(networks.length > 1 || !canSignFor(network, account)) && (
          <NetworkField
            {...{ network, networks }}
            error={faults.network}
            onChoose={one => onChange({ network: one })}
          />
        )}
      </div>
    </FormSection>
  )
}
