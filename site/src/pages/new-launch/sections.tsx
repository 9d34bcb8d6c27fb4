import { formatAmount, type Network } from '@slipway/client'
import { WORDS } from '@slipway/launch-model/kinds/words'
import { type ReactNode, useState } from 'react'
import { Field, TextArea } from '../../components/fields.tsx'
import { canSignFor, FormCosts, FormSection, NetworkField } from '../../components/form.tsx'
import {
  FEE_LAMPORTS,
  formatDuration,
  formatNumber,
  formatTime,
  formatUnits,
  NATIVE_DECIMALS,
  networkName,
} from '../../lib/format.ts'
import { type VerifiedAccount, VerifyAccount } from '../../social/verify-account.tsx'
import { useWallet } from '../../wallet/wallet-store.ts'
import { countTransactions, type launchCost } from './build-launch.ts'
import { DESCRIPTION_LENGTH_MAX, type Faults } from './check-draft.ts'
import {
  type Draft,
  type FieldName,
  type Mechanic,
  parseLocalTime,
  parseSol,
  QUOTE_DECIMALS,
  timesOf,
  toLocalTime,
} from './draft.ts'
import styles from './new-launch.module.css'

/** What each section of the form gets. */
export interface SectionProps {
  draft: Draft
  faults: Faults
  onChange(change: Partial<Draft>): void
}

/** The value, the change and the fault of one field. */
export const bind = ({ draft, faults, onChange }: SectionProps, name: FieldName) => ({
  name,
  value: draft[name],
  error: faults[name],
  onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
})

/** One choice among a few, each in a few words. */
export const Radios = <Name extends 'lock' | 'earner'>({
  draft,
  onChange,
  name,
  legend,
  choices,
  children,
}: SectionProps & {
  name: Name
  legend: string
  choices: Record<Draft[Name], string>
  children?: ReactNode
}) => (
  <fieldset className={styles.lock}>
    <legend>{legend}</legend>
    {Object.entries<string>(choices).map(([value, text]) => (
      <label key={value}>
        <input
          type="radio"
          name={name}
          value={value}
          checked={draft[name] === value}
          onChange={() => onChange({ [name]: value })}
        />
        {text}
      </label>
    ))}
    {children}
  </fieldset>
)

/**
 * Whether a condition has ever been true. A part of the form that it opened must not close while someone types in it.
 */
export function useEver(isNow: boolean): boolean {
  const [ever, setEver] = useState(isNow)
  if (isNow && !ever) setEver(true)
  return ever || isNow
}

const LINKS = ['website', 'social', 'telegram', 'discord'] as const

/** What is launched. */
export function AboutSection({
  verified,
  onVerified,
  ...section
}: SectionProps & {
  verified: VerifiedAccount | undefined
  onVerified(account: VerifiedAccount | undefined): void
}) {
  const left = DESCRIPTION_LENGTH_MAX - [...section.draft.description.trim()].length
  const hasLinks = useEver(
    LINKS.some(name => section.draft[name] !== '' || section.faults[name] !== undefined),
  )
  const wasVerified = useEver(verified !== undefined)
  return (
    <FormSection title="The token">
      <div className={styles.fields}>
        <Field
          {...bind(section, 'name')}
          label="Name"
          hint="The name that people see. It can’t be changed later."
          placeholder="Tidewater"
          required
        />
        <Field
          {...bind(section, 'symbol')}
          label="Symbol"
          hint="Short, at most ten English letters."
          placeholder="TIDE"
          required
        />
        <TextArea
          {...bind(section, 'description')}
          label="Description"
          isOptional
          rows={3}
          hint={`What the token is for, in a sentence or two. ${left >= 0 ? `${left} characters left.` : ''}`}
        />
        <Field
          {...bind(section, 'image')}
          label="Picture"
          isOptional
          type="url"
          inputMode="url"
          hint="The https address of a square picture that you host. Without one, the token carries this site’s mark."
          placeholder="https://"
        />
        <details className={styles.more} open={hasLinks || undefined}>
          <summary className="reach">Links</summary>
          <div className={styles.fields}>
            <p className={styles.note}>
              Shown on the launch’s page as your claim. You can correct them later with a signature.
            </p>
            <Field
              {...bind(section, 'website')}
              label="Website"
              isOptional
              type="url"
              inputMode="url"
              placeholder="https://tidewater.example"
            />
            <div className={styles.pair}>
              <Field {...bind(section, 'social')} label="X" isOptional placeholder="@tidewater" />
              <Field {...bind(section, 'telegram')} label="Telegram" isOptional placeholder="@tidewater" />
            </div>
            <Field
              {...bind(section, 'discord')}
              label="Discord"
              hint="An invite code or its address."
              isOptional
            />
            <details className={styles.more} open={wasVerified || undefined}>
              <summary className="reach">Verify your X account</summary>
              <div className={styles.fields}>
                <p className={styles.note}>
                  Optional. The launch’s page then says that the X link is yours. It counts if you register
                  within ten minutes.
                </p>
                <VerifyAccount verified={verified} onVerified={onVerified} />
              </div>
            </details>
          </div>
        </details>
      </div>
    </FormSection>
  )
}

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

/** When it opens and closes. */
export function TimesSection({ nowMs, ...section }: SectionProps & { nowMs: number }) {
  const { draft } = section
  const isCurve = draft.mechanic === 'bondingCurve'
  const { startMs, endMs } = timesOf(draft, nowMs)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const hasStart = parseLocalTime(draft.startsAt) !== undefined
  // As everywhere on this site; what the field itself looks like is up to the browser.
  const written = (ms: number) =>
    new Date(ms).getTimezoneOffset() === 0
      ? `${formatTime(ms, nowMs)} UTC`
      : `${formatTime(ms, nowMs)} your time, ${formatTime(ms, nowMs, 'UTC')} UTC`
  return (
    <FormSection title="Dates">
      <div className={styles.fields}>
        <div className={styles.pair}>
          <Field
            {...bind(section, 'startsAt')}
            label="Opens"
            isOptional
            type="datetime-local"
            min={toLocalTime(nowMs)}
            hint={hasStart ? written(startMs) : 'Leave empty to open as soon as it is created.'}
          />
          {!isCurve && (
            <Field
              {...bind(section, 'endsAt')}
              value={draft.endsAt || toLocalTime(endMs)}
              label="Closes"
              type="datetime-local"
              hint={written(endMs)}
            />
          )}
        </div>
        <p className={styles.note}>
          {isCurve
            ? `A curve has no end date: it closes when the last token is sold. Times are in your zone, ${zone}.`
            : `Deposits are open for ${formatDuration(Math.max(0, endMs - startMs))}. Times are in your zone, ${zone}.`}
        </p>
      </div>
    </FormSection>
  )
}

export function CostSection({
  draft,
  network,
  cost,
}: {
  draft: Draft
  network: Network
  cost: ReturnType<typeof launchCost> | undefined
}) {
  const transactions = countTransactions(draft)
  const firstBuy = draft.mechanic === 'bondingCurve' ? parseSol(draft.firstBuy) : undefined
  // The token's own key signs the first transaction too.
  const fee = formatAmount(`${(transactions + 1) * FEE_LAMPORTS}`, QUOTE_DECIMALS)
  return (
    <FormCosts
      facts={{
        Transactions: `Up to ${transactions}, signed at once and sent in order`,
        'Network fee': `Up to ${fee} SOL`,
        'Your first buy': firstBuy === undefined ? undefined : `${formatNumber(firstBuy)} SOL`,
        'Rent and program fees':
          cost &&
          `About ${formatUnits(cost.accounts, NATIVE_DECIMALS)} SOL for its accounts and liquidity pool, not refunded`,
      }}
      totalLamports={cost?.total}
      shortage="the launch would stop halfway."
      network={network}
    >
      <p className={styles.note}>
        Once a launch is complete, only its links can be changed.
        {network !== 'chain-devnet' && ` Try it on ${networkName('chain-devnet')} first.`}
      </p>
    </FormCosts>
  )
}
