/** What the common protocols are for. Documents write their names in various ways. */
const WORDS: Record<string, string> = {
  a2a: 'Other agents can talk to it (Agent2Agent)',
  mcp: 'AI applications can use its tools (Model Context Protocol)',
  web: 'A website for people',
  email: 'An address for e-mail',
}

/** What a service of an agent is for; undefined if its name is not a common one. */
export const describeService = (name: string): string | undefined => {
  const key = name.trim().toLowerCase()
  return Object.hasOwn(WORDS, key) ? WORDS[key] : undefined
}
