import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/start-chain.ts'
import { loadPrograms } from './load-programs.ts'

test('a binary that calls a program without a binary stops start-up with an error that says what to do', () => {
  const directory = temporaryFolder()
  const at = (address: string) => join(directory, `${address}.so`)
  const elf = Buffer.from([0x7f, 0x45, 0x4c, 0x46])
  writeFileSync(at('1DREGFgysWYxLnRnKQnwrxnJQeSMk2HmGaC6whw2B2p'), elf)
  expect(() => loadPrograms(directory)).toThrow(
    /calls CoREEN\w+, whose binary is missing\. Fetch that one too/,
  )
  writeFileSync(at('CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d'), elf)
  expect(loadPrograms(directory).size).toBe(2)
})
