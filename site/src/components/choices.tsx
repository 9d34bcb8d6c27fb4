import type { Network } from '@slipway/client'
import { Link } from 'wouter'
import { formatCount, networkName } from '../lib/format.ts'
import { useSite } from '../lib/site-context.ts'
import styles from './choices.module.css'

/** One of a few choices, each a link, so that the choice is in the address and works without script. */
export function Segmented({
  label,
  choices,
}: {
  label: string
  choices: { text: string; href: string; isCurrent: boolean; count?: number | undefined }[]
}) {
  return (
    <nav aria-label={label} className={styles.segmented}>
      {choices.map(({ text, href, isCurrent, count }) => (
        <Link key={text} href={href} replace aria-current={isCurrent ? 'true' : undefined}>
          {text}
          {count !== undefined && <span className={styles.count}> {formatCount(count)}</span>}
        </Link>
      ))}
    </nav>
  )
}

/** One of a few choices that change only this part of the page. */
export function Tabs<Choice extends string>({
  label,
  choices,
  current,
  onChoose,
}: {
  label: string
  choices: readonly { value: Choice; text: string }[]
  current: NoInfer<Choice>
  onChoose: (choice: Choice) => void
}) {
  return (
    <fieldset className={styles.segmented}>
      <legend className="unseen">{label}</legend>
      {choices.map(({ value, text }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === current}
          className={styles.choice}
          onClick={() => onChoose(value)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}

interface NetworkLinks {
  current: Network
  /** Where the same page is on another network. */
  hrefOf(network: Network): string
}

const useNetworks = () => useSite().settings.networks as Network[]

export function NetworkFilter({ current, hrefOf }: NetworkLinks) {
  const networks = useNetworks()
  if (networks.length < 2) return null
  return (
    <Segmented
      label="Network"
      choices={networks.map(network => ({
        text: networkName(network),
        href: hrefOf(network),
        isCurrent: network === current,
      }))}
    />
  )
}

/** What to try when nothing was found on this network. */
export function OtherNetwork({ current, hrefOf }: NetworkLinks) {
  const other = useNetworks().find(network => network !== current)
  return other && <Link href={hrefOf(other)}>Look on {networkName(other)}</Link>
}
