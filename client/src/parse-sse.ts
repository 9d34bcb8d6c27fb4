/** One server-sent event. */
export interface SseMessage {
  event: string
  data: string
  /** The last id that the stream has named. */
  id: string | undefined
}

/** A server that never ends its line must not fill the memory. */
const LINE_LENGTH_MAX = 1_000_000

/** Parses a stream of server-sent events: pass it each piece of text as it arrives. */
export function createSseParser(settings: {
  lastEventId?: string | undefined
  /** The server names the delay before a new connection. */
  onRetry?(ms: number): void
}) {
  let id = settings.lastEventId
  let event = ''
  let data: string[] = []
  let line = ''
  let endedWithReturn = false

  function readLine(text: string): SseMessage | undefined {
    if (text === '') return dispatch()
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + (text[colon + 1] === ' ' ? 2 : 1))
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d+$/.test(value)) settings.onRetry?.(Number(value))
    return undefined
  }

  function dispatch(): SseMessage | undefined {
    const message = data.length > 0 ? { event: event || 'message', data: data.join('\n'), id } : undefined
    event = ''
    data = []
    return message
  }

  return {
    /** The last id, of an event without data too. */
    get lastEventId() {
      return id
    },
    push(text: string): SseMessage[] {
      // A line ends with \r\n, \n or \r, and a piece can end between the two.
      const rest = endedWithReturn && text.startsWith('\n') ? text.slice(1) : text
      if (text !== '') endedWithReturn = text.endsWith('\r')
      const lines = (line + rest).split(/\r\n|\n|\r/)
      line = lines.pop() ?? ''
      if (line.length > LINE_LENGTH_MAX) throw new Error('an event is too long')
      return lines.map(readLine).filter(message => message !== undefined)
    },
  }
}
