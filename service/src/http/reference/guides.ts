import { readFileSync } from 'node:fs'
import { findInstalled } from '../../lib/find-installed.ts'

/** A page of the documentation that callers need. */
export interface Guide {
  title: string
  file: string
  /** What the guide is about, in one line. */
  about: string
}

/** In the order of the sidebar. The pages of the documentation are their only source. */
export const GUIDES: readonly Guide[] = [
  {
    title: 'Sign and submit',
    file: 'guides/sign-and-submit.md',
    about: 'how a wallet signs, submits and confirms what the API builds',
  },
  { title: 'Taking part', file: 'guides/taking-part.md', about: 'how to buy and sell in a launch' },
  { title: 'Networks', file: 'guides/networks.md', about: 'the networks and how to choose one' },
  {
    title: 'Life of an agent',
    file: 'guides/life-of-an-agent.md',
    about: 'from minting an agent to funding it and withdrawing',
  },
  {
    title: 'Life of a launch',
    file: 'guides/life-of-a-launch.md',
    about: 'from creating a launch to claiming its rewards',
  },
  {
    title: 'Owner-signed changes',
    file: 'owner-changes.md',
    about: 'how an owner changes a card or links with a signed message',
  },
  {
    title: 'Conditional requests',
    file: 'guides/conditional-requests.md',
    about: 'how to ask only for what has changed',
  },
  { title: 'Rate limits', file: 'guides/rate-limits.md', about: 'how many requests a client may send' },
  { title: 'Errors', file: 'errors.md', about: 'every error, and what to do about it' },
]

/** The URL in the pages of the documentation. */
const DOCUMENTED_URL = 'http://localhost:8080'

/**
 * A guide in Markdown, about this deployment. Links to other guides go to the URL that `linkTo` returns; other links
 * are left out.
 */
export function readGuide({ file }: Guide, publicUrl: string, linkTo: (guide: Guide) => string): string {
  return readFileSync(findInstalled(`docs/${file}`), 'utf8')
    .replaceAll(DOCUMENTED_URL, publicUrl)
    .replace(/\[([^\]]+)\]\((?!https?:|#|\/)([^)#]*)(?:#[^)]*)?\)/g, (_, text: string, target: string) => {
      const guide = GUIDES.find(other => nameOf(other.file) === nameOf(target))
      return guide ? `[${text}](${linkTo(guide)})` : text
    })
}

const nameOf = (path: string) => path.split('/').at(-1)

/** Where a guide is served in Markdown. */
export const guidePath = ({ file }: Guide): string => `/docs/${nameOf(file)}`
