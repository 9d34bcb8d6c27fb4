import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CORE_PROGRAM, IDENTITY_PROGRAM } from '@slipway/launch-model/programs'
import { type Address, isAddress } from '@solana/kit'
import { StartError } from '../start-error.ts'

const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46])

/** Programs that call another one. A binary can call only a binary: the VM does not know the stand-ins. */
const CALLS = new Map([[IDENTITY_PROGRAM, CORE_PROGRAM]])

/** The binaries in a folder, named `<program address>.so`. A missing folder has none. */
export function loadPrograms(directory: string): Map<Address, Uint8Array> {
  const programs = new Map<Address, Uint8Array>()
  if (!existsSync(directory)) return programs
  for (const name of readdirSync(directory)) {
    if (!name.endsWith('.so')) continue
    const address = name.slice(0, -'.so'.length)
    const path = join(directory, name)
    if (!isAddress(address)) throw new StartError(`${path} is not named after a program address.`)
    const bytes = readFileSync(path)
    if (!bytes.subarray(0, 4).equals(ELF))
      throw new StartError(`${path} is not a program binary. Fetch it again or remove it.`)
    programs.set(address, bytes)
  }
  for (const [caller, called] of CALLS) {
    if (programs.has(caller) && !programs.has(called))
      throw new StartError(
        `${join(directory, `${caller}.so`)} calls ${called}, whose binary is missing. Fetch that one too, or remove this one.`,
      )
  }
  return programs
}
