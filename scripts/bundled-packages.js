// The packages that the packed service contains: names, versions and licences.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Name, version, licence and licence text of each package, by folder from the root. The same package counts once. */
export function describePackages(root, folders) {
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
export function createBillOfMaterials({ name, version, license }, packages, optional) {
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
export const listLicences = packages =>
  packages
    .map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text ?? ''}`.trim())
    .join(`\n\n${'-'.repeat(72)}\n\n`)
