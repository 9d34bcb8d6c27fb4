import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { printTable } from '../lib/report.ts'

const ENTRIES = { '@slipway/client': 'main', '/kit': 'kit', '/umi': 'umi', '/web3js': 'web3js' }

/** What each entry of the client adds to a page, without the libraries that it is used with. */
export async function benchSize(): Promise<void> {
  const rows = await Promise.all(
    Object.entries(ENTRIES).map(async ([name, entry]) => {
      const { minified, gzipped } = await measureEntry(`src/${entry}.ts`)
      return [name, `${minified.toLocaleString('en')} bytes`, `${gzipped.toLocaleString('en')} bytes`]
    }),
  )
  printTable('Size of the client', ['entry', 'minified', 'minified and gzip'], rows)
}

async function measureEntry(path: string): Promise<{ minified: number; gzipped: number }> {
  const { outputFiles } = await build({
    // `npm run bench` runs in the root of the repository.
    absWorkingDir: join(process.cwd(), 'client'),
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    packages: 'external',
    write: false,
  })
  const bytes = outputFiles[0]?.contents ?? new Uint8Array()
  return { minified: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length }
}
