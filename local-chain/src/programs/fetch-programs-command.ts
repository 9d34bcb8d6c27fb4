import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fetchPrograms } from './fetch-programs.ts'

const USAGE = 'Usage: npm run chain:programs -- --rpc https://your.rpc.node [--data ./data]'
const BAR_WIDTH = 30

/** Runs `npm run chain:programs` and returns the exit code. */
export async function fetchProgramsCommand(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  let values: { rpc?: string | undefined; data?: string | undefined }
  try {
    ;({ values } = parseArgs({
      args: [...argv],
      options: { rpc: { type: 'string' }, data: { type: 'string' } },
    }))
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`)
    return 2
  }
  if (!values.rpc || !URL.canParse(values.rpc)) {
    console.error(`${values.rpc ? '--rpc is not a URL.' : '--rpc is missing.'}\n${USAGE}`)
    return 2
  }
  const directory = join(values.data ?? environment.DATA_DIR ?? './data', 'programs')
  try {
    await fetchPrograms({ rpcUrl: values.rpc, directory, onProgress: draw })
  } catch (error) {
    console.error(`\n${(error as Error).message}`)
    return 1
  }
  console.log(`The local chain will use the binaries in ${directory} from its next start on.`)
  return 0
}

function draw(name: string, bytes: number, total: number): void {
  const done = bytes >= total
  if (!process.stdout.isTTY) {
    if (done) console.log(`${name}: ${total} bytes`)
    return
  }
  const filled = Math.round((BAR_WIDTH * bytes) / total)
  const line = `${name.padEnd(20)} [${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${Math.round((100 * bytes) / total)}%`
  process.stdout.write(`\r${line}${done ? '\n' : ''}`)
}
