import { dirname } from 'node:path'
import type { Binaries } from './binaries.ts'
import { runProgram } from './run-program.ts'
import { type Account, isRoot, type RunAs } from './user.ts'

/** The ways worth trying, best first; the owner of what is already there comes before any other account. */
export async function listWays(owner: Account): Promise<RunAs[]> {
  const me = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }
  const accounts = await findAccounts(owner)
  // Only in the namespace is it another user: outside the files stay ours.
  const inNamespace = accounts.slice(0, 1).map(({ uid, gid }) => ({
    name: 'user namespace',
    files: me,
    prefix: ['unshare', '-U', `--map-user=${uid}`, `--map-group=${gid}`],
  }))
  if (!isRoot()) return [{ name: 'this user', files: me, prefix: [] }, ...inNamespace]
  return [...accounts.map(asUser), ...inNamespace, ...accounts.slice(0, 1).map(withFolderAccess)]
}

export function asUser(account: Account): RunAs {
  return { name: `user ${account.uid}`, files: account, prefix: [], switchTo: account }
}

/** Another user that may still pass through private folders. */
function withFolderAccess(account: Account): RunAs {
  const prefix = [
    'setpriv',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // Without it access(2) ignores the capability, and initdb asks access(2) for its own program.
    '--securebits=+no_setuid_fixup',
  ]
  return { name: `user ${account.uid} with access to private folders`, files: account, prefix }
}

/** Whether this way reaches both the programs and the folder of the database; the kernel judges every ancestor. */
export async function works(way: RunAs, binaries: Binaries, pgdata: string): Promise<boolean> {
  const script = 'cd -- "$1" && exec "$2" --show -D "$1/db" -U slipway'
  const { code } = await runProgram(['/bin/sh', '-c', script, 'sh', dirname(pgdata), binaries.initdb], way)
  return code === 0
}

/** Accounts that root may hand the server to; each has the passwd entry that initdb asks for. */
export async function findAccounts(owner: Account): Promise<Account[]> {
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
  // On macOS "nobody" is -2, which Node cannot switch to.
  return account.uid > 0 && account.uid < 2 ** 31 ? account : undefined
}
