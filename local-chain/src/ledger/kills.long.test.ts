import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { startChain, temporaryFolder } from '../testing/start-chain.ts'

test('a chain that is killed four times in the middle of its work restarts with everything it had confirmed', async () => {
  const script = fileURLToPath(new URL('../../dist/airdrop-until-killed.mjs', import.meta.url))
  const scripts = new URL('../../../scripts/external-packages.js', import.meta.url)
  const { externalPackages } = await import(`${scripts}`)
  await build({
    entryPoints: [fileURLToPath(new URL('../testing/airdrop-until-killed.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [externalPackages],
  })
  const dataDir = temporaryFolder()
  const confirmed: { address: string; lamports: number }[] = []
  const runs = 4
  for (let run = 0; run < runs; run++) {
    const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await countLines(child, 1 + run * 17, line => confirmed.push(JSON.parse(line)))
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const local = await startChain({ dataDir })
  expect(confirmed.length).toBeGreaterThan(runs * 17)
  for (const { address, lamports } of confirmed) {
    expect(local.chain.account(address as never)?.lamports).toBe(BigInt(lamports))
  }
})

/** Resolves while the child is still working, so that the kill can interrupt its next write. */
async function countLines(child: ChildProcess, count: number, take: (line: string) => void): Promise<void> {
  let seen = 0
  await new Promise<void>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the child exited with code ${code}`)))
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', line => {
      take(line)
      if (++seen === count) resolve()
    })
  })
  child.removeAllListeners('exit')
}
