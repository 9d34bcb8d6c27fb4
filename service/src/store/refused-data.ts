/** SQLSTATE classes: data exceptions, constraint violations, exceeded limits. */
const REFUSALS = ['22', '23', '54']

/** Whether the database refuses these values, however often they are sent. */
export function isRefusedData(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : ''
    if (code.length === 5 && REFUSALS.includes(code.slice(0, 2))) return true
  }
  return false
}
