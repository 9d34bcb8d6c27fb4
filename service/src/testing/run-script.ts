import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** Runs a TypeScript module in a process of its own, and returns what it prints. Its imports are relative to `base`. */
export async function runScript(base: string, script: string): Promise<string> {
  let output = ''
  for await (const chunk of spawnScript(base, script).stdout.setEncoding('utf8')) output += chunk
  return output
}

export function spawnScript(base: string, script: string) {
  const folder = dirname(fileURLToPath(base))
  const { outputFiles } = buildSync({
    stdin: { contents: script, resolveDir: folder, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
  })
  return spawn(process.execPath, ['--input-type=module', '--eval', outputFiles[0]?.text ?? ''], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
