import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** Runs a TypeScript module in a process of its own, and returns what it prints. Its imports are relative to `base`. */
export async function runScript(base: string, script: string): Promise<string> {
  const folder = dirname(fileURLToPath(base))
  const { outputFiles } = buildSync({
    stdin: { contents: script, resolveDir: folder, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
  })
  const child = spawn(process.execPath, ['--input-type=module', '--eval', outputFiles[0]?.text ?? ''], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) output += chunk
  return output
}
