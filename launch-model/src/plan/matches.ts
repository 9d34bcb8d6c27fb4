/** Whether a value has everything that was planned. Other fields, such as when a condition was met, don't matter. */
export function matches(actual: unknown, planned: unknown): boolean {
  if (Array.isArray(planned))
    return (
      Array.isArray(actual) &&
      actual.length === planned.length &&
      planned.every((item, index) => matches(actual[index], item))
    )
  if (typeof planned !== 'object' || planned === null) return actual === planned
  if (typeof actual !== 'object' || actual === null) return false
  return Object.entries(planned).every(([name, value]) =>
    matches((actual as Record<string, unknown>)[name], value),
  )
}
