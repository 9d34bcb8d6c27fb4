/** What a link or a handle may be long. */
const LENGTH_MAX = 2_048

/** Controls, invisible and direction-changing characters, line ends, halves of characters. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** A stranger's text without blanks around it; undefined when it is too long or holds what cannot be seen. */
export function readPlainText(text: string): string | undefined {
  return text.length > LENGTH_MAX || DECEPTIVE.test(text) ? undefined : text.trim()
}

/** An http(s) URL in its plain notation, all ASCII; undefined for everything else. */
export function readWebLink(text: string): string | undefined {
  const plain = readPlainText(text)
  if (plain === undefined || !/^https?:\/\/\S+$/i.test(plain) || !URL.canParse(plain)) return undefined
  const url = new URL(plain)
  // Names before the host are there to deceive: https://bank.example@evil.example
  if (url.username || url.password || url.href.length > LENGTH_MAX) return undefined
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : url.href
}

/** A place where people have handles, and what their pages there are called. */
interface Place {
  page: (handle: string) => string
  /** A page as people write it; its first group is the handle. */
  written: RegExp
}

const SOCIAL: Place = {
  page: handle => `https://x.com/${handle}`,
  written: /^(?:https?:\/\/)?(?:(?:www|m|mobile)\.)?(?:x|twitter)\.com\/@?(\w{1,64})\/?(?:[?#]\S*)?$/i,
}
const TELEGRAM: Place = {
  page: handle => `https://t.me/${handle}`,
  written: /^(?:https?:\/\/)?(?:www\.)?(?:t|telegram)\.me\/@?(\w{1,64})\/?(?:[?#]\S*)?$/i,
}
const DISCORD: Place = {
  page: handle => `https://discord.gg/${handle}`,
  written: /^(?:https?:\/\/)?(?:www\.)?discord\.gg\/(\w{1,64})\/?(?:[?#]\S*)?$/i,
}

export const readSocialLink = (text: string) => readHandleLink(text, SOCIAL)
export const readTelegramLink = (text: string) => readHandleLink(text, TELEGRAM)
export const readDiscordLink = (text: string) => readHandleLink(text, DISCORD)

/** The link that a proof of this username proves. Names differ by more than case. */
export const socialLinkOf = (username: string) => SOCIAL.page(username)

/** `@name`, `name` and every notation of the page of that name give one URL; any other http(s) URL is taken as it is. */
function readHandleLink(text: string, { page, written }: Place): string | undefined {
  const plain = readPlainText(text)
  if (plain === undefined) return undefined
  const handle = /^@?(\w{1,64})$/.exec(plain)?.[1] ?? written.exec(plain)?.[1]
  return handle === undefined ? readWebLink(plain) : page(handle)
}

/** A path below the place where pictures are kept: nothing in it leads out of there, or to another host. */
export function readRelativePath(text: string): string | undefined {
  const plain = readPlainText(text)
  if (plain === undefined || plain.length > PATH_LENGTH_MAX || plain.includes('..')) return undefined
  return /^[\w~+@=,-][\w.~+@=,-]*(?:\/[\w~+@=,-][\w.~+@=,-]*)*$/.test(plain) ? plain : undefined
}
const PATH_LENGTH_MAX = 512

/** Whether an image may be taken up at all: what names a scheme must name one that pictures come by. */
export function isHarmlessImage(text: string): boolean {
  if (/^\s*data:image\//i.test(text)) return true
  const plain = readPlainText(text)
  if (plain === undefined) return false
  return !/^[a-z][a-z\d+.-]*:/i.test(plain) || /^(?:https?|ipfs|ar):\/\//i.test(plain)
}
