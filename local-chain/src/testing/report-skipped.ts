import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

/** Marks tests that need the binaries of real programs. */
export const REAL_PROGRAMS_TAG = 'real-programs'
export const BINARIES_DIRECTORY = fileURLToPath(new URL('../../.programs/', import.meta.url))
/** The binaries' names without `.so`: a program's address or, for an older version, a name of its own. */
export const COMPARED_PROGRAMS = {
  'MPL Core': 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d',
  'MPL Agent Identity': '1DREGFgysWYxLnRnKQnwrxnJQeSMk2HmGaC6whw2B2p',
  'MPL Agent Tools': 'TLREGni9ZEyGC3vnPZtqUh95xQ8oPqJSvNjvB7FGK8S',
  Genesis: 'GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B',
  'Token Metadata': 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
  Raydium: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
  'Genesis of February 2026': 'genesis-2026-02',
}
export type ComparedProgram = keyof typeof COMPARED_PROGRAMS

export const binaryPath = (name: ComparedProgram): string =>
  join(BINARIES_DIRECTORY, `${COMPARED_PROGRAMS[name]}.so`)
export const hasBinary = (name: ComparedProgram): boolean => existsSync(binaryPath(name))

/**
 * Prints after the run's summary how many comparisons with real programs were skipped. This is a global setup and
 * not a reporter, because reporters on the command line replace those of the configuration.
 */
export default function setup({ vitest }: TestProject) {
  return () => {
    const missing = (Object.keys(COMPARED_PROGRAMS) as ComparedProgram[]).filter(name => !hasBinary(name))
    const skipped = vitest.state
      .getTestModules()
      .flatMap(module => [...module.children.allTests('skipped')])
      .filter(test => test.tags.includes(REAL_PROGRAMS_TAG) && test.options.mode === 'skip')
    if (missing.length === 0 || skipped.length === 0) return
    console.log(
      `${skipped.length} tests against the real programs were skipped: no binary of ${missing.join(', ')} in local-chain/.programs; see local-chain/README.md`,
    )
  }
}
