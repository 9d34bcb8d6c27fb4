import { Field } from '../../components/field.tsx'
import { FormSection } from '../../components/form-layout.tsx'
import { formatDuration, formatTime } from '../../lib/format.ts'
import styles from './form.module.css'
import { parseLocalTime, timesOf, toLocalTime } from './launch-times.ts'
import { bind, type SectionProps } from './section.ts'

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
