/** Which methods each path knows, so that a wrong method can be told from a wrong path. */
export function createPathBook() {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  return {
    add(url: string, methods: readonly string[], reserved: readonly string[] = []) {
      const parts = url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')
      const source = `^${reserved.map(name => `(?!.*/${name}$)`).join('')}${parts}$`
      const path = paths.get(source) ?? { pattern: new RegExp(source), methods: new Set() }
      for (const method of methods) path.methods.add(method)
      paths.set(source, path)
    },
    /** Undefined for a path that no method knows. */
    methodsOf(url: string): string[] | undefined {
      const path = url.split('?', 1)[0] ?? ''
      const methods = [...paths.values()].flatMap(known =>
        known.pattern.test(path) ? [...known.methods] : [],
      )
      return methods.length > 0 ? [...new Set(methods)] : undefined
    },
  }
}
