import type { Address } from './address.ts'

const example = (text: string) => text as Address

/**
 * The addresses in the examples of the API reference, one for each thing. A demo replaces them with its own, so that
 * the examples work there.
 */
export const EXAMPLE_ADDRESSES = {
  agent: example('8Yv9Z1kJc3cQ6bqgF2dVvPzv1kxhQ8mFvYw3oZpT7y4H'),
  agentWallet: example('HqbEFomB3rYtJuwFfRoem2QSNzGXctC4bEf9JXXg4fN7'),
  owner: example('FK2y92KH31CCxLNrQu7tW3EMUSpZqRiod5upPgYJXQ9V'),
  launch: example('FfRoem2QSNzGXctC4bEf9JXXg4fN7HqbEFomB3rYtJuw'),
  token: example('BSBkEGZfkitKTHVaC8VvCJ37Fj5r7XjssBeesic6mjwZ'),
  /** A wallet with rewards to claim. */
  creator: example('HECh9WzbT5s8Mw7mc2s4oWX2DJ8PRYDr7dHbxqwM5pMR'),
  /** A wallet that may act for an agent, its profile, and the record of the delegation. */
  delegate: example('DzpNZ2WpQgpXf2pErtHxtZ5fvdLkDiBvCfQCh69XkhPg'),
  executive: example('4d8F4vLffp4dMJVTu2K1mTjhgFTSS2znkcNdnEfYMKVU'),
  delegateRecord: example('3awUyUjy5Ko7QWYGQV2kJLpqiv9hEq5JjRcJXHUPYVJn'),
  /** A hosted document is found under its SHA-256. */
  document: '3f6a0d1c5b7e9a2c4d6e8f0a1b3c5d7e9f1a3b5c7d9e0f2a4b6c8d0e1f3a5b7c',
}

/** Replacements for some of these addresses, such as those of the demo. */
export type ExampleAddresses = Partial<Record<keyof typeof EXAMPLE_ADDRESSES, string>>
