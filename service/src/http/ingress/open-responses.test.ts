import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createOpenResponses } from './open-responses.ts'

test('a response ends once, by itself or with its connection, and each connection gets one listener', () => {
  const openResponses = createOpenResponses()
  const socket = new EventEmitter() as Socket
  const ended: number[] = []
  const responses = Array.from({ length: 20 }, (_, at) => {
    const response = new EventEmitter() as ServerResponse
    openResponses.add(socket, response, () => ended.push(at))
    return response
  })
  expect(socket.listenerCount('close')).toBe(1)
  responses[0]?.emit('close')
  expect(ended).toEqual([0])
  expect(openResponses.sockets()).toEqual(new Set([socket]))
  socket.emit('close')
  for (const response of responses) response.emit('close')
  expect(ended).toEqual(responses.map((_, at) => at))
  expect(openResponses.sockets()).toEqual(new Set())
})

test('a connection is busy exactly while it has an open response', () => {
  const openResponses = createOpenResponses()
  const socket = new EventEmitter() as Socket
  for (let round = 0; round < 2; round += 1) {
    const response = new EventEmitter() as ServerResponse
    openResponses.add(socket, response, () => {})
    expect(openResponses.sockets().has(socket)).toBe(true)
    response.emit('close')
    expect(openResponses.sockets().has(socket)).toBe(false)
  }
  expect(socket.listenerCount('close')).toBe(1)
})
