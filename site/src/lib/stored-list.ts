import { parseList } from './parse-json.ts'

/** A list that survives a reload, and that all tabs share. */
export function createStoredList<Item>(
  key: string,
  /** Another version of this page may have stored something else. */
  isItem: (value: unknown) => value is Item,
) {
  const changed = `change:${key}`
  return {
    read(): Item[] {
      try {
        return parseList(JSON.parse(localStorage.getItem(key) ?? '[]')).filter(isItem)
      } catch {
        return []
      }
    },
    write(items: readonly Item[]): void {
      try {
        if (items.length === 0) localStorage.removeItem(key)
        else localStorage.setItem(key, JSON.stringify(items))
      } catch {
        // Storage may be blocked; nothing is kept then.
      }
      window.dispatchEvent(new Event(changed))
    },
    /** Calls the listener when this tab or another one has changed the list. Returns a function that stops it. */
    onChanged(listener: () => void): () => void {
      for (const type of [changed, 'storage']) window.addEventListener(type, listener)
      return () => {
        for (const type of [changed, 'storage']) window.removeEventListener(type, listener)
      }
    },
  }
}
