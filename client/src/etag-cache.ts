interface CachedResponse {
  etag: string
  /** Parsed again for each caller, because a caller may change the value. */
  text: string
}

const LENGTH_MAX = 8_000_000

/** The responses that were used last, for conditional requests: at most `size`, and 8 million characters in total. */
export function createEtagCache(size: number) {
  const responses = new Map<string, CachedResponse>()
  let length = 0

  function remove(url: string): CachedResponse | undefined {
    const found = responses.get(url)
    if (!found) return undefined
    responses.delete(url)
    length -= found.text.length
    return found
  }

  function save(url: string, response: CachedResponse) {
    remove(url)
    responses.set(url, response)
    length += response.text.length
    for (const oldest of responses.keys()) {
      if (responses.size <= size && length <= LENGTH_MAX) break
      remove(oldest)
    }
  }

  return {
    save,
    find(url: string): CachedResponse | undefined {
      const found = remove(url)
      if (found) save(url, found)
      return found
    },
  }
}
