import { getGenesisErrorFromName } from '@metaplex-foundation/genesis'
import { ProgramError } from '../stand-in.ts'

/** The real program's error of this name, with its code and message. */
export function genesisError(name: string): ProgramError {
  const known = getGenesisErrorFromName(name, {} as Parameters<typeof getGenesisErrorFromName>[1])
  if (!known) throw new Error(`Genesis has no error named ${name}`)
  const { code } = known as unknown as { code: number }
  return new ProgramError({ Custom: code }, known.message.split('\n', 1)[0])
}
