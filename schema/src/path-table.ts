/** A value whose path matches, with the parts of the path that vary. */
export interface PathMatch<Value> {
  value: Value
  params: Record<string, string>
}

export interface PathTable<Value> {
  /** In the path, `:name` stands for one part of any value. A suffix may follow, as in `:sha256.json`. */
  add(path: string, value: Value): void
  /**
   * The first value at this path that is accepted. Paths with a fixed part come before those with a name in its
   * place.
   */
  find(path: string, accepts: (value: Value) => boolean): PathMatch<Value> | undefined
}

interface Node<Value> {
  fixed: Map<string, Node<Value>>
  named: { suffix: string; node: Node<Value> }[]
  ends: End<Value>[]
}

interface End<Value> {
  value: Value
  names: readonly string[]
}

/** The characters that stand for themselves in a part of a path (RFC 3986). No part of our paths has another one. */
const PLAIN = /^[\w\-.~!$&'()*+,;=:@]$/

/**
 * Decodes the escapes of a path, once. A path with a malformed escape, or one of any other character, such as `%2F` or
 * `%25`, is returned as it is, and found nowhere.
 */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  const decoded = path.replace(/%([\da-f]{2})/gi, (sent, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return PLAIN.test(character) ? character : sent
  })
  return decoded.includes('%') ? path : decoded
}

/** Finds values by path. A name never stands for an empty part. */
export function createPathTable<Value>(entries: Iterable<readonly [string, Value]> = []): PathTable<Value> {
  const root = createNode<Value>()

  function add(path: string, value: Value) {
    let node = root
    const names: string[] = []
    for (const part of path.split('/')) {
      const [, name, suffix = ''] = /^:(\w+)(.*)$/.exec(part) ?? []
      if (name !== undefined) names.push(name)
      node = name === undefined ? fixedChild(node, part) : namedChild(node, suffix)
    }
    node.ends.push({ value, names })
  }

  for (const [path, value] of entries) add(path, value)
  return {
    add,
    find(path, accepts) {
      // What `decodePath` leaves.
      if (path.includes('%')) return undefined
      const taken: string[] = []
      const end = walk(root, path.split('/'), 0, accepts, taken)
      return end && { value: end.value, params: toParams(end.names, taken) }
    },
  }
}

/** Stores the values of the names in `taken`. */
function walk<Value>(
  node: Node<Value>,
  parts: readonly string[],
  at: number,
  accepts: (value: Value) => boolean,
  taken: string[],
): End<Value> | undefined {
  if (at === parts.length) {
    for (const end of node.ends) if (accepts(end.value)) return end
    return undefined
  }
  const part = parts[at] as string
  const fixed = node.fixed.get(part)
  const found = fixed && walk(fixed, parts, at + 1, accepts, taken)
  if (found) return found
  for (const { suffix, node: next } of node.named) {
    if (part.length <= suffix.length || !part.endsWith(suffix)) continue
    taken.push(suffix === '' ? part : part.slice(0, -suffix.length))
    const found = walk(next, parts, at + 1, accepts, taken)
    if (found) return found
    taken.pop()
  }
  return undefined
}

function toParams(names: readonly string[], taken: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (let at = 0; at < names.length; at += 1) params[names[at] as string] = taken[at] as string
  return params
}

const createNode = <Value>(): Node<Value> => ({ fixed: new Map(), named: [], ends: [] })

function fixedChild<Value>(node: Node<Value>, part: string): Node<Value> {
  const child = node.fixed.get(part) ?? createNode<Value>()
  node.fixed.set(part, child)
  return child
}

function namedChild<Value>(node: Node<Value>, suffix: string): Node<Value> {
  const known = node.named.find(child => child.suffix === suffix)
  if (known) return known.node
  const child = createNode<Value>()
  node.named.push({ suffix, node: child })
  return child
}
