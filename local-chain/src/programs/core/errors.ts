import { getMplCoreErrorFromName } from '@metaplex-foundation/mpl-core'
import { ProgramError } from '../stand-in.ts'

type CoreProgram = Parameters<typeof getMplCoreErrorFromName>[1]

/** The real program's error of this name, with its code and its words. */
export function coreError(name: string): ProgramError {
  const known = getMplCoreErrorFromName(name, {} as CoreProgram)
  if (!known) throw new Error(`MPL Core has no error named ${name}`)
  // Every error class has its code; only their common type does not say so.
  const { code } = known as unknown as { code: number }
  return new ProgramError({ Custom: code }, `Error: ${known.message.split('\n', 1)[0]}`)
}
