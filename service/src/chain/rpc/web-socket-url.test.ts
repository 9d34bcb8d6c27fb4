import { Connection } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { webSocketUrl } from './web-socket-url.ts'

test.each([
  ['http://127.0.0.1:8899', 'ws://127.0.0.1:8900'],
  ['https://rpc.example', 'wss://rpc.example'],
  ['https://rpc.example?api-key=a', 'wss://rpc.example?api-key=a'],
  ['https://rpc.example:443/key', 'wss://rpc.example:444/key'],
  ['http://[::1]:8899/', 'ws://[::1]:8900/'],
])('%s → %s, as in web3.js', (rpcUrl, wsUrl) => {
  expect(webSocketUrl(rpcUrl)).toBe(wsUrl)
  // biome-ignore lint/suspicious/noExplicitAny: the property is private in web3.js
  expect((new Connection(rpcUrl) as any)._rpcWsEndpoint).toBe(wsUrl)
})

test('a colon elsewhere in the URL is not mistaken for a port', () => {
  expect(webSocketUrl('HTTPS://rpc.example/key?api-key=a:1')).toBe('wss://rpc.example/key?api-key=a:1')
  expect(webSocketUrl('https://user:1234@rpc.example:8899/x')).toBe('wss://user:1234@rpc.example:8900/x')
})

test('a URL that is not http is refused without being repeated', () => {
  expect(() => webSocketUrl('ftp://key@host')).toThrow(/^not an http or https URL$/)
})
