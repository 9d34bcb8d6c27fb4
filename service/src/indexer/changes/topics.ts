import { BUCKET_LAYOUTS } from '../../chain/accounts/bucket-layouts.ts'
import { CORE_PROGRAM, GENESIS_PROGRAM, IDENTITY_PROGRAM } from '../../chain/addresses/programs.ts'
import type { ProgramTopic } from '../../chain/subscriptions/following.ts'

export const IDENTITY_TOPIC = 'identities'
export const CORE_TOPIC = 'assets'

/**
 * The accounts that the indexer subscribes to. Buckets are selected by kind, because the Genesis program also keeps an
 * account for every depositor. Core holds far more assets than agents, so only addresses are requested; those of agents
 * are picked out here and read.
 */
export function listTopics(): ProgramTopic[] {
  return [
    { name: IDENTITY_TOPIC, program: IDENTITY_PROGRAM, filters: [] },
    ...BUCKET_LAYOUTS.map(({ kind, firstByte }) => ({
      name: kind,
      program: GENESIS_PROGRAM,
      filters: [{ memcmp: { offset: 0, bytes: Uint8Array.of(firstByte) } }],
    })),
    {
      name: CORE_TOPIC,
      program: CORE_PROGRAM,
      filters: [],
      dataSlice: { offset: 0, length: 0 },
      isOptional: true,
    },
  ]
}
