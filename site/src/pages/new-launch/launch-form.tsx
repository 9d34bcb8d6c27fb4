import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { NETWORK_NAMES, plural } from '../../lib/format.ts'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import { AboutSection } from './about-section.tsx'
import { checkDraft, type Faults } from './check-draft.ts'
import { CostSection } from './cost-section.tsx'
import type { Draft } from './draft.ts'
import styles from './form.module.css'
import { MechanicSection } from './mechanic-section.tsx'
import { NumbersSection } from './numbers-section.tsx'
import type { SectionProps } from './section.ts'
import { TimesSection } from './times-section.tsx'

export function LaunchForm({
  draft,
  refusal,
  pictureUrl,
  nowMs,
  onChange,
  onCreate,
  onClear,
}: {
  draft: Draft
  /** What the API has found. */
  refusal: { faults: Faults; others: string[] }
  pictureUrl: string
  nowMs: number
  onChange(change: Partial<Draft>): void
  onCreate(): void
  onClear(): void
}) {
  const { account } = useWallet()
  const [isSent, setSent] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const faults = { ...refusal.faults, ...checkDraft(draft, { isSent, nowMs }) }
  const faultCount = Object.keys(faults).length
  const isOtherNetwork = account && !account.networks.includes(draft.network)

  useEffect(() => {
    if (Object.keys(refusal.faults).length > 0) focusFault(form.current)
  }, [refusal.faults])

  function submit(event: FormEvent) {
    event.preventDefault()
    setSent(true)
    const found = checkDraft(draft, { isSent: true, nowMs: Date.now() })
    if (Object.keys(found).length > 0) return void setTimeout(() => focusFault(form.current))
    if (!account) return openWalletDialog()
    if (!isOtherNetwork) onCreate()
  }

  const section: SectionProps = { draft, faults, onChange }
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <AboutSection {...section} pictureUrl={pictureUrl} />
      <MechanicSection {...section} />
      <NumbersSection {...section} />
      <TimesSection {...section} nowMs={nowMs} />
      <CostSection draft={draft} />
      {refusal.others.length > 0 && (
        <div role="alert" className={styles.refusal}>
          <h3>The service refused this launch</h3>
          <ul>
            {refusal.others.map(text => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.submit}>
        <p role="status" className={styles.state}>
          {faultCount > 0 ? (
            <span className={styles.faulty}>
              {plural(faultCount, 'field needs', 'fields need')} a correction.
            </span>
          ) : isOtherNetwork ? (
            <>
              The connected account is for another network than {NETWORK_NAMES[draft.network]}.{' '}
              <button type="button" className={styles.link} onClick={openWalletDialog}>
                Choose another account
              </button>
            </>
          ) : account ? (
            'Nothing is signed yet: you see every transaction first.'
          ) : (
            'Connect a wallet to go on. What you have entered stays.'
          )}
        </p>
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" disabled={isOtherNetwork}>
            {account ? 'Review launch' : 'Connect a wallet'}
          </Button>
          <Button
            onClick={() => {
              setSent(false)
              onClear()
            }}
          >
            Clear
          </Button>
        </div>
      </div>
    </form>
  )
}

/** Moves to the first field that has a fault. */
function focusFault(form: HTMLFormElement | null) {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
