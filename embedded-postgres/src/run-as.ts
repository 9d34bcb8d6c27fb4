import { spawn } from 'node:child_process'
import { dirname } from 'node:path'

export interface Account {
  uid: number
  gid: number
}

/** A way to run PostgreSQL, which refuses to run as root. */
export interface RunAs {
  /** For the log. */
  name: string
  /** The account that must own the database files. */
  fileOwner: Account
  /** A command that changes the user and then runs the program that follows it. */
  prefix: string[]
  /** Set if Node itself changes the user when it spawns the program. */
  switchTo?: Account
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Lists the ways worth trying, best first. The owner of existing files comes before any other account. */
export async function listRunAs(owner: Account): Promise<RunAs[]> {
  const self = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }
  const accounts = await findAccounts(owner)
  // The user differs only inside the namespace: outside it, the files still belong to this process's user.
  const inNamespace = accounts.slice(0, 1).map(({ uid, gid }) => ({
    name: 'user namespace',
    fileOwner: self,
    prefix: ['unshare', '-U', `--map-user=${uid}`, `--map-group=${gid}`],
  }))
  if (!isRoot()) return [{ name: 'this user', fileOwner: self, prefix: [] }, ...inNamespace]
  return [...accounts.map(asUser), ...inNamespace, ...accounts.slice(0, 1).map(withFolderAccess)]
}

function asUser(account: Account): RunAs {
  return { name: `user ${account.uid}`, fileOwner: account, prefix: [], switchTo: account }
}

/** Runs as another user that keeps root's right to enter private folders. */
function withFolderAccess(account: Account): RunAs {
  const prefix = [
    'setpriv',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // Without this flag, access(2) ignores the capability, and initdb uses access(2) to find its own program.
    '--securebits=+no_setuid_fixup',
  ]
  return { name: `user ${account.uid} with access to private folders`, fileOwner: account, prefix }
}

/** Finds accounts that root can run the server as. Each has the passwd entry that initdb requires. */
async function findAccounts(owner: Account): Promise<Account[]> {
  const names = [
    ...(owner.uid === 0 || !isRoot() ? [] : [String(owner.uid)]),
    'postgres',
    '_postgres',
    'nobody',
  ]
  const found = await Promise.all(names.map(findAccount))
  return found.filter(account => account !== undefined)
}

async function findAccount(name: string): Promise<Account | undefined> {
  const [user, group] = await Promise.all([runProgram(['id', '-u', name]), runProgram(['id', '-g', name])])
  if (user.code !== 0 || group.code !== 0) return undefined
  const account = { uid: Number(user.output), gid: Number(group.output) }
  // On macOS, "nobody" is -2, which Node cannot switch to.
  return account.uid > 0 && account.uid < 2 ** 31 ? account : undefined
}

/** Tries whether this user can reach both the programs and the database, because any parent folder can be private. */
export async function canRun(runAs: RunAs, initdb: string, pgdata: string): Promise<boolean> {
  const script = 'cd -- "$1" && exec "$2" --show -D "$1/db" -U slipway'
  const { code } = await runProgram(['/bin/sh', '-c', script, 'sh', dirname(pgdata), initdb], runAs)
  return code === 0
}

/** Runs a short program until it exits. If the program cannot start, the code is -1 and the output is the reason. */
export function runProgram(command: string[], runAs?: RunAs): Promise<{ code: number; output: string }> {
  const [program = '', ...args] = [...(runAs?.prefix ?? []), ...command]
  return new Promise(resolve => {
    const child = spawn(program, args, { ...spawnOptions(runAs), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const killChild = () => child.kill('SIGTERM')
    const finish = (code: number) => {
      process.off('exit', killChild)
      resolve({ code, output })
    }
    process.on('exit', killChild)
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      output += chunk
    })
    child.on('error', error => {
      output += error.message
      finish(-1)
    })
    child.on('close', code => finish(code ?? -1))
  })
}

/** Spawns into a separate process group, so that Ctrl-C does not reach the program. */
export function spawnOptions(runAs?: RunAs) {
  return { cwd: '/', env: cleanEnv(), detached: true, ...runAs?.switchTo }
}

/** Passes on PATH only: PG* variables would change what the programs do, and a locale would translate their output. */
function cleanEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}
