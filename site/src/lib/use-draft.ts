import { useEffect, useLayoutEffect, useState } from 'react'
import { useTypedWork } from './load-part.ts'
import { isObject } from './parse-json.ts'

/** What was entered into a form. It survives a reload; `clear` forgets it. */
export function useDraft<Draft extends object>(
  name: string,
  empty: Draft,
  choices: Choices<Draft> = {},
  /** Only this tab keeps drafts about one agent or launch. */
  place: 'localStorage' | 'sessionStorage' = 'localStorage',
) {
  const key = `draft:${name}`
  const [draft, setDraft] = useState<Draft>(() => fitDraft(empty, read(place, key), choices))
  const isChanged = draft !== empty && JSON.stringify(draft) !== JSON.stringify(empty)
  const [isKept, setKept] = useState(true)
  useTypedWork(isChanged, { isKept })
  // At once: the page may be reloaded before it is painted.
  useLayoutEffect(() => {
    try {
      if (isChanged) window[place].setItem(key, JSON.stringify(draft))
      else window[place].removeItem(key)
    } catch {
      // Storage is blocked or full: the draft lasts until the page is left, which asks first.
      setKept(false)
    }
  }, [draft, isChanged, key, place])
  useEffect(() => {
    const forget = (event: Event) => {
      if ((event as CustomEvent<string>).detail === name) setDraft(empty)
    }
    // Another tab forgot the draft. Edits in another tab are ignored, because they must not replace text typed here.
    const forgetStored = (event: StorageEvent) => {
      if (event.key === key && event.newValue === null) setDraft(empty)
    }
    window.addEventListener(FORGOTTEN, forget)
    window.addEventListener('storage', forgetStored)
    return () => {
      window.removeEventListener(FORGOTTEN, forget)
      window.removeEventListener('storage', forgetStored)
    }
  }, [empty, key, name])
  return {
    draft,
    isChanged,
    change: (part: Partial<Draft>) => setDraft(before => ({ ...before, ...part })),
    clear: () => setDraft(empty),
  }
}

const FORGOTTEN = 'draftforgotten'

/** Whether something was typed into a dialog of this tab, and kept. */
export const hasDialogDraft = (name: string): boolean => {
  try {
    return sessionStorage.getItem(`draft:${name}`) !== null
  } catch {
    return false
  }
}

/** Forgets a draft, even in the form that shows it, because its subject exists now. */
export function forgetDraft(name: string): void {
  try {
    localStorage.removeItem(`draft:${name}`)
    sessionStorage.removeItem(`draft:${name}`)
  } catch {
    // Then it was not stored either.
  }
  window.dispatchEvent(new CustomEvent(FORGOTTEN, { detail: name }))
}

/** From now on: returns a function that tells whether the draft was forgotten, in this tab or another. */
export function watchDraft(name: string): () => boolean {
  const wasStored = isStored(name)
  return () => wasStored && !isStored(name)
}

function isStored(name: string): boolean {
  try {
    return localStorage.getItem(`draft:${name}`) !== null
  } catch {
    return false
  }
}

/** The only values that a part may have. */
type Choices<Draft> = { [Name in keyof Draft]?: readonly Draft[Name][] }

/**
 * The stored fields that have the types of the empty draft: another version of the page may have stored something
 * else. The entries of a list must be like the first one of the empty draft.
 */
export function fitDraft<Draft extends object>(
  empty: Draft,
  stored: unknown,
  choices: Choices<Draft> = {},
): Draft {
  if (!isObject(stored)) return empty
  const entries = Object.entries(empty).map(([name, value]) => {
    const allowed: readonly unknown[] | undefined = choices[name as keyof Draft]
    const isAllowed = Object.hasOwn(stored, name) && (allowed?.includes(stored[name]) ?? true)
    return [name, isAllowed ? fit(value, stored[name]) : value]
  })
  return Object.fromEntries(entries) as Draft
}

function fit(empty: unknown, stored: unknown): unknown {
  if (Array.isArray(empty))
    return Array.isArray(stored) ? stored.filter(entry => isAlike(empty[0], entry)) : empty
  return isAlike(empty, stored) ? stored : empty
}

const isAlike = (example: unknown, value: unknown): boolean =>
  isObject(example)
    ? isObject(value) && Object.entries(example).every(([name, part]) => isAlike(part, value[name]))
    : typeof value === typeof example

function read(place: 'localStorage' | 'sessionStorage', key: string): unknown {
  try {
    return JSON.parse(window[place].getItem(key) ?? '{}')
  } catch {
    return {}
  }
}
