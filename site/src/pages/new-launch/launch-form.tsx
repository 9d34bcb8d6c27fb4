import type { Network } from '@slipway/client'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { focusFirstFault } from '../../components/fields.tsx'
import { canSignFor, FormLayout, FormSubmit } from '../../components/form.tsx'
import { plural } from '../../lib/format.ts'
import type { VerifiedAccount } from '../../social/verify-account.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import type { launchCost } from './build-launch.ts'
import { checkDraft, type Faults } from './check-draft.ts'
import type { Draft } from './draft.ts'
import styles from './new-launch.module.css'
import { NumbersSection } from './numbers-section.tsx'
import { LaunchPreview } from './preview.tsx'
import { AboutSection, CostSection, MechanicSection, type SectionProps, TimesSection } from './sections.tsx'
import { type Launcher, WhoSection } from './who-section.tsx'

export function LaunchForm({
  draft,
  cost,
  launcher,
  refusal,
  network,
  networks,
  pictureUrl,
  nowMs,
  isSecondary,
  begunName,
  onClear,
  verified,
  onVerified,
  onChange,
  onCreate,
}: {
  draft: Draft
  /** What it costs. Undefined while that is not known. */
  cost: ReturnType<typeof launchCost> | undefined
  launcher: Launcher
  /** The faults that the API has found. */
  refusal: { faults: Faults; others: string[] }
  network: Network
  /** The networks to choose from. */
  networks: readonly Network[]
  /** Shown in the preview if none is given. */
  pictureUrl: string
  nowMs: number
  /** Another launch is to be continued first. */
  isSecondary: boolean
  /** The name of this very launch, if it was begun and interrupted. */
  begunName: string | undefined
  onClear(): void
  verified: VerifiedAccount | undefined
  onVerified(account: VerifiedAccount | undefined): void
  onChange(change: Partial<Draft>): void
  onCreate(): void
}) {
  const { account } = useWallet()
  const canSign = canSignFor(network, account)
  const [isSent, setSent] = useState(false)
  const form = useRef<HTMLFormElement>(undefined)
  const check = (isSent: boolean, nowMs: number): Faults => ({
    ...checkDraft(draft, { isSent, nowMs }),
    ...(launcher.fault !== undefined && { agent: launcher.fault }),
    ...(isSent && launcher.isPending && { agent: 'This agent is still being looked up. Try again.' }),
  })
  const faults = { ...refusal.faults, ...check(isSent, nowMs) }
  const faultCount = Object.keys(faults).length
  useEffect(() => {
    if (form.current && Object.keys(refusal.faults).length > 0) focusFirstFault(form.current)
  }, [refusal.faults])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    form.current = event.currentTarget
    if (begunName === undefined && (!account || !canSign)) return openWalletDialog()
    setSent(true)
    if (begunName !== undefined) return
    if (Object.keys(check(true, Date.now())).length > 0) return focusFirstFault(event.currentTarget)
    onCreate()
  }

  const section: SectionProps = { draft, faults, onChange }
  return (
    <FormLayout
      onSubmit={submit}
      preview={<LaunchPreview {...{ draft, network, pictureUrl, nowMs }} />}
      totalLamports={cost?.total}
    >
      <AboutSection {...section} {...{ verified, onVerified }} />
      <WhoSection {...section} {...{ launcher, network }} />
      <MechanicSection {...section} {...{ network, networks }} />
      <NumbersSection {...section} />
      <TimesSection {...section} nowMs={nowMs} />
      <CostSection {...{ draft, network, cost }} />
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
      <FormSubmit
        text={
          begunName !== undefined ? (
            <span role="status">
              You have already started <bdi>{begunName}</bdi> (see above). Creating it here would make a
              second launch.
            </span>
          ) : faultCount > 0 ? (
            <span role="status" className={styles.faulty}>
              {plural(faultCount, 'field needs', 'fields need')} a correction.
            </span>
          ) : !account ? (
            'Connect a wallet to continue. Your entries are kept.'
          ) : canSign ? (
            'Nothing is signed yet: you will see every transaction first.'
          ) : (
            'The connected account is on a different network from this launch.'
          )
        }
        button={
          begunName !== undefined ? (
            <Button onClick={onClear}>Clear the form for another launch</Button>
          ) : (
            <Button kind={isSecondary ? 'quiet' : 'primary'} type="submit">
              {!account ? 'Connect a wallet' : canSign ? 'Review the launch' : 'Choose another account'}
            </Button>
          )
        }
      />
    </FormLayout>
  )
}
