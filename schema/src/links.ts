import { parseUrl } from './url.ts'

/** Maximum length of a link or handle. */
const LENGTH_MAX = 2_048

/** Control, invisible and direction-changing characters, line ends, lone surrogates. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** The text, trimmed; undefined if it is too long or contains invisible characters. */
function parsePlainText(text: string): string | undefined {
  return text.length > LENGTH_MAX || DECEPTIVE.test(text) ? undefined : text.trim()
}

/** An http(s) URL, normalised to ASCII; undefined for anything else. */
export function parseWebLink(text: string): string | undefined {
  const plain = parsePlainText(text)
  if (plain === undefined || !/^https?:\/\/\S+$/i.test(plain)) return undefined
  const url = parseUrl(plain)
  // Credentials are there to deceive: https://bank.example@evil.example
  if (!url || url.username || url.password || url.href.length > LENGTH_MAX) return undefined
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : url.href
}

/** A site with user handles. */
interface Site {
  profileUrl: (handle: string) => string
  /** Matches every spelling of a profile URL; its first group is the handle. */
  profilePattern: RegExp
}

const SOCIAL: Site = {
  profileUrl: handle => `https://x.com/${handle}`,
  profilePattern: /^(?:https?:\/\/)?(?:(?:www|m|mobile)\.)?(?:x|twitter)\.com\/@?(\w{1,64})\/?(?:[?#]\S*)?$/i,
}
const TELEGRAM: Site = {
  profileUrl: handle => `https://t.me/${handle}`,
  profilePattern: /^(?:https?:\/\/)?(?:www\.)?(?:t|telegram)\.me\/@?(\w{1,64})\/?(?:[?#]\S*)?$/i,
}
const DISCORD: Site = {
  profileUrl: handle => `https://discord.gg/${handle}`,
  profilePattern: /^(?:https?:\/\/)?(?:www\.)?discord\.gg\/(\w{1,64})\/?(?:[?#]\S*)?$/i,
}

export const parseSocialLink = (text: string) => parseHandleLink(text, SOCIAL)
export const parseTelegramLink = (text: string) => parseHandleLink(text, TELEGRAM)
export const parseDiscordLink = (text: string) => parseHandleLink(text, DISCORD)

/** The link that a verified username proves. */
export const socialLinkOf = (username: string) => SOCIAL.profileUrl(username)

/** `@name`, `name` and every spelling of that profile give the same URL; any other http(s) URL stays as it is. */
function parseHandleLink(text: string, { profileUrl, profilePattern }: Site): string | undefined {
  const plain = parsePlainText(text)
  if (plain === undefined) return undefined
  const handle = /^@?(\w{1,64})$/.exec(plain)?.[1] ?? profilePattern.exec(plain)?.[1]
  return handle === undefined ? parseWebLink(plain) : profileUrl(handle)
}

/** A path below the image store: nothing in it can leave the store or name another host. */
export function parseRelativePath(text: string): string | undefined {
  const plain = parsePlainText(text)
  if (plain === undefined || plain.length > PATH_LENGTH_MAX || plain.includes('..')) return undefined
  return /^[\w~+@=,-][\w.~+@=,-]*(?:\/[\w~+@=,-][\w.~+@=,-]*)*$/.test(plain) ? plain : undefined
}
const PATH_LENGTH_MAX = 512

/** Whether the image is a relative path or has a scheme that images use. */
export function isHarmlessImage(text: string): boolean {
  if (/^\s*data:image\//i.test(text)) return true
  const plain = parsePlainText(text)
  if (plain === undefined) return false
  return !/^[a-z][a-z\d+.-]*:/i.test(plain) || /^(?:https?|ipfs|ar):\/\//i.test(plain)
}
