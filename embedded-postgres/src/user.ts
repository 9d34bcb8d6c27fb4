export interface Account {
  uid: number
  gid: number
}

/** A way to run PostgreSQL, which refuses to be root. */
export interface RunAs {
  /** For the log. */
  name: string
  /** Whom the database must belong to. */
  files: Account
  /** Programs that change the user before they become PostgreSQL. */
  prefix: string[]
  /** Set when Node itself changes the user. */
  switchTo?: Account
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}
