/** Fields of a request or an answer, by name. */
type Fields = Record<string, unknown>

/**
 * Makes an endpoint a tool for language models. The tool's input, description and errors are those of the endpoint;
 * this is only what differs.
 */
export interface Tool {
  name: string
  /** Instead of the endpoint's description, where the tool differs. */
  description?: string
  /** For an endpoint that answers in pages. A tool always does, with a `cursor`. */
  page?: {
    /** The endpoint's parameters for the size of a page, and for where it starts. */
    size: string
    from: string
    /** Where the next page starts; null on the last one. */
    next(answer: Fields): string | null
  }
  /** Further parameters that a model has no use for. */
  withoutInput?: readonly string[]
  /** Fields of the answer that take room and that a model has no use for, at any depth. */
  withoutFields?: readonly string[]
  /** Which part of a list that is too long for an answer is left off; the end by default. */
  leavesOff?: 'start'
  /** What a caller does about the rest of a list that is too long, as a sentence. */
  rest?: string
  /** What the transactions in the answer do once they are signed and submitted, as a sentence. */
  effect?(sent: Fields, answer: Fields): string
  /** Set if the answer can also be read as a resource: what it is called. */
  resource?: string
}
