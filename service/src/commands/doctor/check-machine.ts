import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { PORT_OFFSETS } from '@slipway/local-chain/ports'
import { type Config, embedsChains } from '../../config.ts'
import { readFreeBytes } from '../../lib/free-bytes.ts'
import { type Check, fail, ok, warn } from './check.ts'

const FILES_ADVISED = 65_536
const FILES_WARN = 4_096

/** Works on Linux only, like the check at start-up. */
export function checkOpenFiles(limits = readLimits()): Check {
  const name = 'open files'
  const found = /^Max open files +(\d+|unlimited)/m.exec(limits)?.[1]
  if (found === undefined) return ok(name, 'the limit is not known on this system')
  const message = `this shell may open ${found}`
  const remedy = `Raise it: "ulimit -n ${FILES_ADVISED}" in a shell, or "LimitNOFILE=${FILES_ADVISED}" in a systemd unit.`
  return Number(found) < FILES_WARN ? warn(name, 'refused', message, remedy) : ok(name, message)
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}

const DISK_FAIL_BYTES = 100_000_000
const DISK_WARN_BYTES = 1_000_000_000

export async function checkDisk({ dataDir }: Config): Promise<Check> {
  const name = 'disk'
  const free = await readFreeBytes(dataDir)
  const message = `${(free / 1e9).toFixed(1)} GB free for DATA_DIR ${dataDir}`
  const remedy = 'Free space there, or choose another DATA_DIR.'
  if (free < DISK_FAIL_BYTES) return fail(name, 'full', message, remedy)
  return free < DISK_WARN_BYTES ? warn(name, 'full', message, remedy) : ok(name, message)
}

interface Place {
  variable: string
  host: string
  port: number
}

/** `isServed`: whether a service uses our store; undefined if the store can't be reached. */
export async function checkPorts(config: Config, isServed: boolean | undefined): Promise<Check[]> {
  const places: Place[] = [{ variable: 'PORT', host: config.host, port: config.port }]
  if (config.metrics.port !== undefined)
    places.push({ variable: 'METRICS_PORT', host: config.metrics.host, port: config.metrics.port })
  const { port } = config.localChain
  if (embedsChains(config))
    places.push(
      ...PORT_OFFSETS.map(offset => ({
        variable: 'LOCAL_CHAIN_PORT',
        host: '127.0.0.1',
        port: port + offset,
      })),
    )
  const isOurs = isServed !== false && (await isSlipway(config))
  return Promise.all(places.map(place => checkPort(place, isOurs)))
}

async function checkPort({ variable, host, port }: Place, isOurs: boolean): Promise<Check> {
  const name = `port ${port}`
  const code = await tryToListen(host, port)
  if (code === undefined) return ok(name, `free (${variable})`)
  if (code === 'EADDRINUSE' && isOurs) return ok(name, `used by the running service (${variable})`)
  if (code === 'EADDRINUSE')
    return fail(
      name,
      'in-use',
      `used by another process (${variable})`,
      `Stop that process, or set ${variable} to another port.`,
    )
  if (code === 'EACCES')
    return fail(
      name,
      'refused',
      `needs more privileges (${variable})`,
      `Set ${variable} to a port above 1023.`,
    )
  const hostVariable = variable === 'METRICS_PORT' ? 'METRICS_HOST' : 'HOST'
  return fail(
    name,
    'bad-input',
    `can't listen on ${host} (${code})`,
    `Set ${hostVariable} to an address of this machine, or to 0.0.0.0.`,
  )
}

/** The code of the error, if there is one. */
const tryToListen = (host: string, port: number): Promise<string | undefined> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })

const ASK_MS = 3_000

async function isSlipway({ host, port }: Config): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  try {
    const response = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(ASK_MS) })
    return response.ok && (await response.text()) === 'ok\n'
  } catch {
    return false
  }
}
