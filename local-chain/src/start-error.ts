/** An error that stops start-up and that the operator can fix; its message says how. */
export class StartError extends Error {
  override name = 'StartError'
}
