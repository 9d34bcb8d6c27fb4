import { readFileSync } from 'node:fs'

/** Below about 120, imports fail with errors that don't say why. The rest is for connections. */
const FILES_MIN = 256

/** What the operator must do if this process may open too few files; undefined if it may open enough. */
export function explainOpenFiles(limits = readLimits()) {
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? FILES_MIN)
  if (limit >= FILES_MIN) return undefined
  return `This process may open ${limit} files, but Slipway needs at least ${FILES_MIN}. Raise the limit: "ulimit -n 65536" in a shell, or "LimitNOFILE=65536" in a systemd unit.`
}

/** Works on Linux only. Node has already raised its limit as far as it may. */
function readLimits() {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
