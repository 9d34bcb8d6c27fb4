import type { Address } from '@solana/kit'
import type { Keypair } from '../ledger/keypair.ts'
import type { World } from './build-world.ts'

/** A throw-away key of the demo, and what it can do. */
export type DemoKey = {
  readonly address: Address
  /** 64 bytes. */
  readonly secretKey: Uint8Array
  /** Such as `Owner of Tidewatch`. */
  readonly label: string
}

/** The keys that can act in the demo: the visitor's own, the agents' owners, and the creators of launches. */
export function listDemoKeys({ visitor, agents, launches }: World): DemoKey[] {
  const keys: DemoKey[] = [describe(visitor, 'Visitor')]
  for (const { owner, entry } of agents)
    if (!entry.burnt) keys.push(describe(owner, `Owner of ${entry.name}`))
  const creators = new Map<Address, { key: Keypair; names: string[] }>()
  for (const { creator, entry } of launches) {
    const known = creators.get(creator.address) ?? { key: creator, names: [] }
    known.names.push(entry.name)
    creators.set(creator.address, known)
  }
  for (const { key, names } of creators.values()) keys.push(describe(key, `Creator of ${nameSome(names)}`))
  return keys
}

const NAMES_MAX = 3

const nameSome = (names: string[]): string =>
  names.length <= NAMES_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMES_MAX).join(', ')} and ${names.length - NAMES_MAX} more`

const describe = ({ address, secretKey }: Keypair, label: string): DemoKey => ({ address, secretKey, label })
