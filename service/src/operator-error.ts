/** A problem that the operator can fix. The command line prints its message without a stack trace. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
