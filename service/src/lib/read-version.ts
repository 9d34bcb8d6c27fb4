import { readFileSync } from 'node:fs'
import { findInstalled } from './find-installed.ts'

/** All packages of a checkout have the same version. */
export const readVersion = (): string =>
  JSON.parse(readFileSync(findInstalled('package.json'), 'utf8')).version
