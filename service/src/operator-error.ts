/** A fault that the operator can mend: its message, one line, is all there is to show. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
