import { useEffect, useState } from 'react'

/** What was entered into a form. It survives a reload; `clear` forgets it. */
export function useDraft<Draft extends object>(name: string, empty: Draft) {
  const key = `draft:${name}`
  const [draft, setDraft] = useState<Draft>(() => ({ ...empty, ...read<Draft>(key) }))
  useEffect(() => {
    try {
      if (draft === empty) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(draft))
    } catch {
      // Storage may be blocked; the draft then lasts until the page is left.
    }
  }, [draft, empty, key])
  return {
    draft,
    change: (part: Partial<Draft>) => setDraft(before => ({ ...before, ...part })),
    clear: () => setDraft(empty),
  }
}

function read<Draft>(key: string): Partial<Draft> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Draft>
  } catch {
    return {}
  }
}
