import type { FormEvent, ReactNode } from 'react'
import { formatUnits } from '../lib/format.ts'
import { NATIVE_DECIMALS } from '../lib/native.ts'
import styles from './form-layout.module.css'

/** A form in one column, with a preview beside it, or below it on a phone. */
export function FormLayout({
  onSubmit,
  preview,
  totalLamports,
  children,
}: {
  onSubmit(event: FormEvent<HTMLFormElement>): void
  preview: ReactNode
  /** What creating it costs, as entered so far. Undefined while it is not known. */
  totalLamports: bigint | undefined
  children: ReactNode
}) {
  return (
    <div className={styles.columns}>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <p className={styles.text}>
          {totalLamports === undefined ? (
            'What it costs is listed at the end of the form.'
          ) : (
            <>
              It costs about <b>{formatUnits(totalLamports, NATIVE_DECIMALS)} SOL</b>, as listed at the end of
              the form.
            </>
          )}
        </p>
        {children}
      </form>
      <aside className={styles.preview} aria-label="Preview">
        {preview}
      </aside>
    </div>
  )
}

export function FormSection({
  title,
  text,
  children,
}: {
  title: string
  text?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </section>
  )
}

/** The button of a form, and what it costs to go on. On a phone, the button stays at the bottom. */
export const FormSubmit = ({ button, text }: { button: ReactNode; text: ReactNode }) => (
  <>
    <p className={styles.text}>{text}</p>
    <div className={styles.submit}>{button}</div>
  </>
)

/** Moves to the first field with a fault, after React has marked it. */
export function focusFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
