/** A part of what an owner changes. */
export interface ChangedPart {
  name: string
  /** Undefined if there is nothing. */
  before: string | undefined
  after: string | undefined
  /** Can be true for equal texts, if they are summaries. */
  isChanged: boolean
}
