/** A pure function that remembers up to `max` answers, and all of them are forgotten when there are more. */
export function remembered<K, V>(max: number, make: (key: K) => V): (key: K) => V {
  const answers = new Map<K, V>()
  return key => {
    const known = answers.get(key)
    if (known !== undefined) return known
    const made = make(key)
    if (answers.size >= max) answers.clear()
    answers.set(key, made)
    return made
  }
}
