import { useState } from 'react'
import type { Faults } from './check-draft.ts'
import type { Draft, FieldName } from './draft.ts'

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

/**
 * Whether a condition has ever been true. A part of the form that it opened must not close while someone types in it.
 */
export function useEver(isNow: boolean): boolean {
  const [ever, setEver] = useState(isNow)
  if (isNow && !ever) setEver(true)
  return ever || isNow
}
