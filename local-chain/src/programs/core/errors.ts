import { getMplCoreErrorFromName } from '@metaplex-foundation/mpl-core'
import { ProgramError } from '../stand-in.ts'

type CoreProgram = Parameters<typeof getMplCoreErrorFromName>[1]

/** The real program's error of this name, with its code and message. */
export function coreError(name: string): ProgramError {
  const known = getMplCoreErrorFromName(name, {} as CoreProgram)
  if (!known) throw new Error(`MPL Core has no error named ${name}`)
  // Every error class has a code, but their common type does not declare it.
  const { code } = known as unknown as { code: number }
  return new ProgramError({ Custom: code }, `Error: ${known.message.split('\n', 1)[0]}`)
}
