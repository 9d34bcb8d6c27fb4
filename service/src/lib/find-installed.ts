import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Exists only at the root, both of a checkout and of the package. */
const ROOT_FILE = 'LICENSE'

/** The path of a file of this installation: of the sources, of their build in `dist`, or of the package. */
export function findInstalled(path: string): string {
  const found = lookForInstalled(path)
  if (found === undefined) throw new Error(`${path} is missing from this installation`)
  return found
}

/** The same, or undefined: the package has files that a checkout builds or finds elsewhere. */
export function lookForInstalled(path: string): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, path)
    if (existsSync(candidate)) return candidate
    // Folders above the root are not ours.
    if (existsSync(join(folder, ROOT_FILE)) || folder === dirname(folder)) return undefined
  }
}

/** The folder of the package, or undefined in a checkout. */
const PACKAGE = lookForInstalled('bom.json')

/** How people run commands and examples of this installation. */
export const SLIPWAY = PACKAGE ? 'slipway' : 'npx slipway'
export const EXAMPLES = PACKAGE ? join(dirname(PACKAGE), 'examples') : 'examples'
