import { type DocumentEntry, type EntryLimits, entryAfter } from './document-entry.ts'
import { parseJsonText } from './parse-json-object.ts'

/** A document as it was last had. The text is valid JSON and UTF-8 without zero bytes: any text column takes it. */
export interface StoredDocument {
  uri: string
  text: string
  fetchedAt: Date
}

/** Where documents outlive the process. */
export interface DocumentStore {
  find(uri: string): Promise<StoredDocument | undefined>
  save(document: StoredDocument): Promise<void>
}

/** Documents in the store, if there is one. A store that fails is mentioned, and then as good as none. */
export function createShelf(
  store: DocumentStore | undefined,
  { saveAgainMs, onFault }: { saveAgainMs: number; onFault(error: unknown): void },
) {
  const saves = new Set<Promise<void>>()

  async function findDocument(uri: string): Promise<StoredDocument | undefined> {
    try {
      return await store?.find(uri)
    } catch (error) {
      onFault(error)
      return undefined
    }
  }

  return {
    async find(
      uri: string,
      { nowMs, limits }: { nowMs: number; limits: EntryLimits },
    ): Promise<DocumentEntry | undefined> {
      const stored = await findDocument(uri)
      const result = stored && parseJsonText(stored.text)
      if (!stored || !result?.ok) return undefined
      const fetchedAtMs = stored.fetchedAt.getTime()
      if (nowMs - fetchedAtMs > limits.staleMsMax) return undefined
      const entry = entryAfter(undefined, result, { nowMs: fetchedAtMs, limits })
      if (entry.copy) entry.copy.savedAtMs = fetchedAtMs
      return entry
    },
    /** Saves a copy that is another than the saved one, or was last saved long ago. Nobody waits for it. */
    save(uri: string, { copy }: DocumentEntry): void {
      if (!store || !copy || copy.fetchedAtMs - copy.savedAtMs < saveAgainMs) return
      copy.savedAtMs = copy.fetchedAtMs
      const saving = store
        .save({ uri, text: copy.text, fetchedAt: new Date(copy.fetchedAtMs) })
        .catch(error => {
          copy.savedAtMs = Number.NEGATIVE_INFINITY
          onFault(error)
        })
        .finally(() => saves.delete(saving))
      saves.add(saving)
    },
    /** Resolves when everything is saved that is being saved now. */
    async saved(): Promise<void> {
      await Promise.all(saves)
    },
  }
}
