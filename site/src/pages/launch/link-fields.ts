import type { ErrorDetail, ExternalLinks, LaunchDetail } from '@slipway/client'
import type { ChangedPart } from '../../owner-changes/changed-part.ts'

export interface LinkTexts {
  website: string
  social: string
  telegram: string
  discord: string
}

const PROFILE = 'A handle such as @tidewater, or an address that starts with https://'

export const LINK_FIELDS: readonly { name: keyof LinkTexts; label: string; hint: string }[] = [
  {
    name: 'website',
    label: 'Website',
    hint: 'An address that starts with https://, such as https://tidewater.example',
  },
  { name: 'social', label: 'X', hint: PROFILE },
  { name: 'telegram', label: 'Telegram', hint: PROFILE },
  {
    name: 'discord',
    label: 'Discord',
    hint: 'An invite code, or an address that starts with https://',
  },
]

export const currentTexts = ({ website, socials }: LaunchDetail): LinkTexts => ({
  website,
  social: socials.x ?? '',
  telegram: socials.telegram ?? '',
  discord: socials.discord ?? '',
})

/** What becomes of each link, compared with what the page shows now. */
export const listLinkChanges = (data: LaunchDetail, links: ExternalLinks): ChangedPart[] =>
  LINK_FIELDS.flatMap(({ name, label }) => {
    const before = currentTexts(data)[name].trim() || undefined
    const after = links[name] ?? undefined
    if (before === undefined && after === undefined) return []
    return { name: label, before, after, isChanged: before !== after }
  })

/** All links that are there. One that is left out is removed. */
export function toLinks(texts: LinkTexts): ExternalLinks {
  const entries = Object.entries(texts).map(([name, text]) => [name, text.trim()])
  return Object.fromEntries(entries.filter(([, text]) => text !== ''))
}

/** As the service checks them. */
const LENGTH_MAX = 2_048
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const HANDLE = /^@?\w{1,64}$/
/** Addresses of profiles, which may go without https://, such as x.com/tidewater. */
const PROFILES: Partial<Record<keyof LinkTexts, RegExp>> = {
  social: /^(?:(?:www|m|mobile)\.)?(?:x|twitter)\.com\/@?\w{1,64}\/?(?:[?#]\S*)?$/i,
  telegram: /^(?:www\.)?(?:t|telegram)\.me\/@?\w{1,64}\/?(?:[?#]\S*)?$/i,
  discord: /^(?:www\.)?discord\.gg\/\w{1,64}\/?(?:[?#]\S*)?$/i,
}

/** What is wrong with a link. */
export function findLinkFault(name: keyof LinkTexts, text: string): string | undefined {
  const link = text.trim()
  if (link === '') return undefined
  if (link.length > LENGTH_MAX) return `Use at most ${LENGTH_MAX} characters.`
  if (HIDDEN.test(link)) return 'Remove the invisible characters.'
  const isHandle = name !== 'website' && HANDLE.test(link)
  if (isHandle || PROFILES[name]?.test(link)) return undefined
  if (/^https?:\/\//i.test(link)) return findAddressFault(link)
  const hint = LINK_FIELDS.find(field => field.name === name)?.hint ?? ''
  return `Enter ${hint.charAt(0).toLowerCase()}${hint.slice(1)}.`
}

function findAddressFault(address: string): string | undefined {
  if (/\s/.test(address) || !URL.canParse(address)) return 'This is not a valid address.'
  const { username, password, hostname, href } = new URL(address)
  if (username || password) return 'Remove the user name and password.'
  if (href.length > LENGTH_MAX) return `Use at most ${LENGTH_MAX} characters.`
  // The API accepts a host such as `x..com`, but no such host exists. One dot at the end is allowed.
  return hostname.replace(/\.$/, '').split('.').includes('') ? 'This is not a valid address.' : undefined
}

/** The API's faults by field. It calls a field `externalLinks.social`. */
export function faultsOf(details: readonly ErrorDetail[]): Partial<LinkTexts> {
  const faults: Partial<LinkTexts> = {}
  for (const { name, label } of LINK_FIELDS) {
    const found = details.find(({ path }) => path === `externalLinks.${name}`)
    if (found) faults[name] = `${label} ${found.message}.`
  }
  return faults
}

/** Whether a link is the profile of this username. */
export function isProfileOf(text: string, username: string): boolean {
  const handle = /^(?:(?:https?:\/\/)?(?:(?:www|m|mobile)\.)?(?:x|twitter)\.com\/)?@?(\w+)\/?(?:[?#]\S*)?$/i
  return handle.exec(text.trim())?.[1]?.toLowerCase() === username.toLowerCase()
}
