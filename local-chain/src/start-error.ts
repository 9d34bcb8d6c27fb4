/** What keeps the chain from starting and whoever runs it can mend; its message says how. */
export class StartError extends Error {
  override name = 'StartError'
}
