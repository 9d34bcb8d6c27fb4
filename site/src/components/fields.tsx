import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import styles from './fields.module.css'

interface FieldParts {
  label: string
  /** What to enter, and why. */
  hint?: ReactNode
  /** What is wrong with the value. The hint stays. */
  error?: string | undefined
  /** A unit after the input, or a button. */
  suffix?: ReactNode
  isOptional?: boolean
}

/** A labelled input with its explanation and its fault. */
export function Field({
  label,
  hint,
  error,
  suffix,
  isOptional = false,
  ...input
}: FieldParts & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <FieldFrame {...{ id, label, hint, error, isOptional }}>
      <div className={styles.box} data-invalid={error ? 'yes' : undefined}>
        <input
          id={id}
          autoComplete="off"
          spellCheck="false"
          {...input}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-hint ${id}-error`}
        />
        {suffix && <span className={styles.suffix}>{suffix}</span>}
      </div>
    </FieldFrame>
  )
}

/** The same for longer texts. */
export function TextArea({
  label,
  hint,
  error,
  isOptional = false,
  ...input
}: Omit<FieldParts, 'suffix'> & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId()
  return (
    <FieldFrame {...{ id, label, hint, error, isOptional }}>
      <div className={styles.box} data-invalid={error ? 'yes' : undefined}>
        <textarea
          id={id}
          rows={4}
          {...input}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-hint ${id}-error`}
        />
      </div>
    </FieldFrame>
  )
}

/** One of many choices. */
export function Select({
  label,
  hint,
  error,
  ...select
}: Omit<FieldParts, 'suffix' | 'isOptional'> & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId()
  return (
    <FieldFrame {...{ id, label, hint, error }}>
      <div className={styles.box} data-invalid={error ? 'yes' : undefined}>
        <select id={id} {...select} aria-describedby={`${id}-hint ${id}-error`} />
      </div>
    </FieldFrame>
  )
}

function FieldFrame({
  id,
  label,
  hint,
  error,
  isOptional,
  children,
}: Omit<FieldParts, 'suffix'> & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label}
        {isOptional && <span className={styles.optional}> (optional)</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {children}
      <p id={`${id}-error`} className={styles.error} role={error ? 'alert' : undefined}>
        {error}
      </p>
    </div>
  )
}

/** Moves to the first field with a fault, after React has marked it. */
export function focusFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
