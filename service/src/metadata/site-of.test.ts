import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

test.each([
  ['example.com', 'example.com'],
  ['a.b.example.com', 'example.com'],
  ['a.example.com.', 'example.com'],
  ['a.example.co.uk', 'example.co.uk'],
  ['shop.example.com.br', 'example.com.br'],
  ['localhost', 'localhost'],
  ['203.0.113.7', '203.0.113.7'],
  ['2606:4700::1', '9734:18176:0'],
  ['2606:4700:0:1:2:3:4:5', '9734:18176:0'],
])('%s belongs to %s', (host, site) => {
  expect(siteOf(host)).toBe(site)
})
