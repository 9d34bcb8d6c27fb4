import type { Address } from './address.ts'

const example = (text: string) => text as Address

/**
 * The addresses in the examples of the API reference, one for each thing. A demo replaces them with its own, so that the
 * examples work there.
 */
export const EXAMPLE_ADDRESSES = {
  agent: example('8Yv9Z1kJc3cQ6bqgF2dVvPzv1kxhQ8mFvYw3oZpT7y4H'),
  agentWallet: example('HqbEFomB3rYtJuwFfRoem2QSNzGXctC4bEf9JXXg4fN7'),
  owner: example('FK2y92KH31CCxLNrQu7tW3EMUSpZqRiod5upPgYJXQ9V'),
  launch: example('FfRoem2QSNzGXctC4bEf9JXXg4fN7HqbEFomB3rYtJuw'),
  token: example('BSBkEGZfkitKTHVaC8VvCJ37Fj5r7XjssBeesic6mjwZ'),
  /** A launch that is on the chain but not registered. */
  unregisteredLaunch: example('9kiZRzYqe1R3o57WvWem5wbVK4bBJJbWv8hM2Ha61W3o'),
  /** A wallet with rewards to claim. */
  creator: example('HECh9WzbT5s8Mw7mc2s4oWX2DJ8PRYDr7dHbxqwM5pMR'),
}

/** The same things somewhere else, such as in the demo. What is left out keeps its address. */
export type ExampleAddresses = Partial<Record<keyof typeof EXAMPLE_ADDRESSES, string>>
