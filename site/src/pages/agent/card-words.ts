/** What cards and documents say in words of their standards. */

const MODES: [pattern: RegExp, words: string][] = [
  [/^text(\/plain)?$/i, 'Text'],
  [/^text\/markdown$/i, 'Formatted text'],
  [/^text\/html$/i, 'Web pages'],
  [/^application\/json$/i, 'JSON'],
  [/^application\/pdf$/i, 'PDF'],
  [/^image\//i, 'Pictures'],
  [/^audio\//i, 'Sound'],
  [/^video\//i, 'Video'],
]

/** A kind of content, such as `text/plain`. Uncommon ones stay as they are. */
export const describeMode = (mode: string): string =>
  MODES.find(([pattern]) => pattern.test(mode))?.[1] ?? mode

const TRUST: Record<string, string> = {
  reputation: 'Ratings by those who used it',
  'crypto-economic': 'A stake that it can lose',
  'tee-attestation': 'Proof of the hardware that it runs on',
}

/** What EIP-8004 calls a trust model. */
export const describeTrust = (model: string): string =>
  Object.hasOwn(TRUST, model) ? (TRUST[model] as string) : model
