/** Drizzle's messages also have the values of the query, for example a document that a caller sent. */
export const messageOf = (error: Error): string =>
  'query' in error && 'params' in error ? `Failed query: ${error.query}` : error.message

/** The stack starts with the message. */
export const stackOf = (error: Error): string | undefined =>
  error.stack?.replace(error.message, () => messageOf(error))
