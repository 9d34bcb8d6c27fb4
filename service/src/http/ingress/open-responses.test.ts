import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createUnfinished } from './open-responses.ts'

test('a response ends once, with its own end or with its connection, which gets one listener for all', () => {
  const unfinished = createUnfinished()
  const socket = new EventEmitter() as Socket
  const ended: number[] = []
  const responses = Array.from({ length: 20 }, (_, at) => {
    const response = new EventEmitter() as ServerResponse
    unfinished.add(socket, response, () => ended.push(at))
    return response
  })
  expect(socket.listenerCount('close')).toBe(1)
  responses[0]?.emit('close')
  expect(ended).toEqual([0])
  expect(unfinished.sockets()).toEqual(new Set([socket]))
  socket.emit('close')
  for (const response of responses) response.emit('close')
  expect(ended).toEqual(responses.map((_, at) => at))
  expect(unfinished.sockets()).toEqual(new Set())
})

test('a connection whose responses have all ended is not busy, and may be again', () => {
  const unfinished = createUnfinished()
  const socket = new EventEmitter() as Socket
  for (let round = 0; round < 2; round += 1) {
    const response = new EventEmitter() as ServerResponse
    unfinished.add(socket, response, () => {})
    expect(unfinished.sockets().has(socket)).toBe(true)
    response.emit('close')
    expect(unfinished.sockets().has(socket)).toBe(false)
  }
  expect(socket.listenerCount('close')).toBe(1)
})
