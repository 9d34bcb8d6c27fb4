import type { Attack } from '../attack.ts'
import { sendBytes } from '../http-client.ts'

const VALID = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'

/** Bytes, and the status lines that must come back. */
const CASES: { what: string; bytes: string; statuses: string[] }[] = [
  {
    what: 'two Host headers',
    bytes: 'GET /v1/launches HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    statuses: ['400'],
  },
  { what: 'no Host header', bytes: 'GET /v1/launches HTTP/1.1\r\n\r\n', statuses: ['400'] },
  {
    what: 'a malformed Host header',
    bytes: 'GET /v1/launches HTTP/1.1\r\nHost: a b/c\r\n\r\n',
    statuses: ['400'],
  },
  {
    what: 'a transfer coding other than chunked',
    bytes: 'POST /v1/social/verify HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    statuses: ['400'],
  },
  {
    what: 'a length and a transfer coding',
    bytes:
      'POST /v1/social/verify HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    statuses: ['400'],
  },
  { what: 'garbage after a valid request', bytes: `${VALID}\0\0garbage\r\n\r\n`, statuses: ['200', '400'] },
  { what: 'HTTP/2 without asking', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', statuses: ['400'] },
  {
    what: 'a header without a colon',
    bytes: 'GET /healthz HTTP/1.1\r\nHost: a\r\nX\r\n\r\n',
    statuses: ['400'],
  },
  {
    what: 'a bare line feed in a header',
    bytes: 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n',
    statuses: ['400'],
  },
]

export const malformed: Attack = {
  name: 'malformed requests',
  async run({ port }) {
    const wrong: string[] = []
    for (const { what, bytes, statuses } of CASES) {
      const { text } = await sendBytes(port, bytes, { localAddress: '127.0.0.90' })
      const found = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
      if (found.join() !== statuses.join()) wrong.push(`${what}: ${found.join(', ') || 'no answer'}`)
    }
    return [
      {
        what: `wrong answers to ${CASES.length} malformed requests`,
        value: wrong.length,
        unit: 'answers',
        atMost: 0,
        detail: wrong.join('; '),
      },
    ]
  },
}
