import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ResponseStream, StreamAnswer } from '../../endpoint/endpoint.ts'
import type { RequestContext } from '../request-context.ts'
import { addCommonHeaders, addRateLimitHeaders, SECURITY_HEADERS } from './common-headers.ts'

/** Starts a stream. It is the last response on its connection: nothing that the client sends after it is read. */
export function startStream(
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
  { contentType, start }: StreamAnswer,
): void {
  context.isLast = true
  context.connection.isClosing = true
  context.headMs = performance.now() - context.startMs
  const headers = ['Content-Type', contentType, 'Cache-Control', 'no-store']
  // Without this, nginx collects the response before it passes anything on.
  headers.push('X-Accel-Buffering', 'no', ...SECURITY_HEADERS)
  // The connection ends with the body. Without chunks, a write takes 40 % less processor time.
  response.useChunkedEncodingByDefault = false
  response.writeHead(200, addCommonHeaders(addRateLimitHeaders(headers, context), context))
  if (request.method === 'HEAD') response.end()
  start(createStream(request, response))
}

const LAST_BYTES_MS = 500

function createStream({ socket }: IncomingMessage, response: ServerResponse): ResponseStream {
  const isOver = () => response.writableEnded || socket.destroyed
  return {
    pendingBytes: () => response.writableLength,
    write: bytes => isOver() || response.write(bytes),
    onDrain(callback) {
      response.once('drain', callback)
    },
    onEnd(callback) {
      if (isOver()) return callback()
      // Node emits nothing on a response that still waits for earlier ones when its connection closes.
      socket.once('close', callback)
    },
    end() {
      if (isOver()) return
      response.end()
      // Streams must not delay a node that stops.
      if (response.writableLength > 0) setTimeout(() => socket.destroy(), LAST_BYTES_MS).unref()
    },
  }
}
