import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'

interface ReceivedEvent {
  /** As a browser would send it back. */
  id: string
  type: string
  data: { network?: string; address?: string; at?: string }
}

export interface EventClient {
  status: number
  headers: IncomingHttpHeaders
  events: ReceivedEvent[]
  /** Everything as it was received. */
  text(): string
  lastEventId(): string
  /** Resolves when the server or the client has ended the stream. */
  ended: Promise<void>
  close(): void
  /** Stops reading, as a stuck client does. */
  pause(): void
}

/** Follows the events of a node, as a browser's `EventSource` parses them. Resolves when the head has arrived. */
export async function followEvents(
  url: string,
  {
    query = '',
    lastEventId,
    localAddress = '127.0.0.1',
    onEvent = () => {},
  }: {
    query?: string
    lastEventId?: string
    localAddress?: string
    onEvent?(event: ReceivedEvent): void
  } = {},
): Promise<EventClient> {
  const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }
  const sent = request(`${url}/v1/events${query}`, { headers, localAddress, agent: false })
  onTestFinished(() => void sent.destroy())
  const response = await open(sent)
  const events: ReceivedEvent[] = []
  let text = ''
  let parsed = 0
  let id = lastEventId ?? ''
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n\n', parsed); end !== -1; end = text.indexOf('\n\n', parsed)) {
      const fields = new Map(text.slice(parsed, end).split('\n').map(toField))
      parsed = end + 2
      id = fields.get('id') ?? id
      const data = fields.get('data')
      if (data === undefined) continue
      const event = { id, type: fields.get('event') ?? 'message', data: JSON.parse(data) }
      events.push(event)
      onEvent(event)
    }
  })
  // A connection that breaks is an ordinary end.
  response.on('error', () => {})
  sent.on('error', () => {})
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    text: () => text,
    lastEventId: () => id,
    ended: new Promise<void>(resolve => response.once('close', resolve)),
    close: () => sent.destroy(),
    pause: () => response.pause(),
  }
}

function open(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end()
  })
}

function toField(line: string): [string, string] {
  const colon = line.indexOf(':')
  return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
}

/** Gives the events the ids 1, 2, 3 and so on, so that a test can name them. */
export const NUMBER_EVENTS = `
  UPDATE events SET id = number FROM (SELECT id AS known, row_number() OVER (ORDER BY id) AS number FROM events) AS numbered
  WHERE id = known`
