import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { isEndurance } from '../testing/endurance.ts'
import { canMountDisk } from '../testing/small-disk.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const USER = 1000
/** Each step takes about twenty seconds, and minutes if the machine is very busy. */
const STEP_MS_MAX = 10 * 60_000

/** A folder to use as the root of a machine that has the system's programs, one ordinary user and nothing else. */
function makeMachine(): string {
  const machine = mkdtempSync(join(tmpdir(), 'slipway-machine-'))
  onTestFinished(() => rmSync(machine, { recursive: true, force: true }))
  for (const name of ['usr', 'etc', 'proc', 'dev', 'tmp', 'home/ann'])
    mkdirSync(join(machine, name), { recursive: true })
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    if (existsSync(`/${name}`)) symlinkSync(`usr/${name}`, join(machine, name))
  cpSync('/etc/hosts', join(machine, 'etc/hosts'))
  cpSync('/etc/ld.so.cache', join(machine, 'etc/ld.so.cache'))
  writeFileSync(join(machine, 'etc/passwd'), `ann:x:${USER}:${USER}::/home/ann:/bin/sh\n`)
  execFileSync('chmod', ['755', machine])
  execFileSync('chmod', ['1777', join(machine, 'tmp')])
  return machine
}

const MOUNTS = `set -e
cd "$0"
mount --rbind /usr usr; mount -o remount,bind,ro usr
mount -t proc proc proc
mount -t tmpfs -o mode=755 dev dev
for name in null zero urandom; do touch dev/$name; mount --bind /dev/$name dev/$name; done
mkdir -m 1777 dev/shm
ip link set lo up
exec chroot --userspec=${USER}:${USER} . /bin/sh -ec "$1"`

/** Runs a script there, as the ordinary user and without a network. Its processes end with it. */
function runOn(machine: string, script: string): string {
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['-m', '-p', '-f', '-n', 'sh', '-c', MOUNTS, machine, script],
    {
      env: { HOME: '/home/ann', PATH: '/home/ann/.local/bin:/usr/bin:/bin:/usr/sbin:/sbin' },
      encoding: 'utf8',
      timeout: STEP_MS_MAX,
    },
  )
  if (status !== 0) throw new Error(`${stderr}${stdout}`)
  return stdout
}

/** Packs the service, and lets npm download the packages for this platform into the cache of the machine's user. */
function bringPackages(home: string): void {
  execFileSync(process.execPath, [join(ROOT, 'scripts/package.js'), home], { stdio: 'pipe' })
  const [file] = readdirSync(home).filter(name => name.endsWith('.tgz'))
  const elsewhere = mkdtempSync(join(tmpdir(), 'slipway-installed-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }))
  const npm = [
    'install',
    '-g',
    '--prefix',
    elsewhere,
    '--cache',
    join(home, '.npm'),
    join(home, file as string),
  ]
  execFileSync('npm', npm, { stdio: 'pipe', timeout: STEP_MS_MAX })
  execFileSync('chown', ['-R', `${USER}:${USER}`, home])
}

const START = `
slipway serve > log & service=$!
until grep -q '"msg":"serving"' log; do kill -0 $service; sleep 0.1; done`
const STOP = `
kill $service; wait $service`
const EXAMPLES = '.local/lib/node_modules/slipway/examples'
const findTransaction = (signature: string) => `node -e "
fetch('http://127.0.0.1:8899', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(
  { jsonrpc: '2.0', id: 1, method: 'getSignatureStatuses', params: [['${signature}'], { searchTransactionHistory: true }] }) })
  .then(response => response.json()).then(({ result }) => console.log('found', result.value[0]))"`

test.skipIf(!isEndurance || !canMountDisk)(
  'on an empty machine, an ordinary user installs one file, starts it, withdraws, loses everything and restores it',
  () => {
    const machine = makeMachine()
    bringPackages(join(machine, 'home/ann'))
    runOn(machine, 'cd; npm install -g --offline --prefix ~/.local ./slipway-*.tgz')
    const first = runOn(
      machine,
      `cd; ${START}; node ${EXAMPLES}/withdraw.js 0.02; slipway backup first.backup; ${STOP}`,
    )
    const signature = /^confirmed {2}(\w+)$/m.exec(first)?.[1] as string
    const second = runOn(
      machine,
      `cd; rm -r data; slipway restore first.backup; ${START}; ${findTransaction(signature)}; ${STOP}`,
    )
    expect(second).toMatch(/^found \{[^}]*err: null/m)
  },
)
