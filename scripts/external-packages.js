/** Bundles only the workspaces, which are TypeScript. Packages from npm stay outside. */
export const externalPackages = {
  name: 'external-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@slipway/') ? undefined : { path, external: true },
    )
  },
}
