import type { Agent } from '@slipway/client'
import { readServices } from '../../lib/agents.ts'
import { cut } from '../../lib/parse-json.ts'
import type { CardContent } from './parse-card.ts'

/** A way to reach an agent. */
export interface Way {
  url: string
  /** Of the protocol, such as `A2A`. */
  name: string
  /** The variant and version of the protocol. */
  detail: string
}

const NAME_LENGTH_MAX = 32
const DETAIL_LENGTH_MAX = 48

/** Where an agent says that it can be reached, each address once: on its card, then in its registration document. */
export function listWays(agent: Agent, interfaces: CardContent['interfaces']): Way[] {
  const onCard = new Set(interfaces.map(({ url }) => url))
  return [
    ...interfaces.map(({ url, binding = '', version = '' }) => ({
      ...{ url, name: 'A2A', detail: joinWords(binding, version) },
    })),
    ...readServices(agent)
      .filter(({ endpoint }) => !onCard.has(endpoint))
      .map(({ name, endpoint, version = '' }) => ({
        ...{ url: endpoint, name: cut(name, NAME_LENGTH_MAX), detail: joinWords(version) },
      })),
  ]
}

const joinWords = (...words: string[]) => cut(words.filter(Boolean).join(' '), DETAIL_LENGTH_MAX)
