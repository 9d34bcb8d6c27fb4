import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'

/** The other end of a channel between two processes. */
export interface Peer {
  /** Rejects with `PeerGone` if the other process is given up before it answers, or with the error of its handler. */
  ask<T>(name: string, input?: unknown): Promise<T>
  /** Sends a message that gets no answer. A socket sent with it stays open here, so the sender must close it. */
  tell(name: string, input?: unknown, socket?: Socket): void
  /** Rejects the open questions, as if the other process had ended. */
  giveUp(): void
}

export class PeerGone extends Error {
  constructor() {
    super('the other process has ended or hangs')
  }
}

type Handlers = Record<string, (input: never, socket: Socket) => unknown>

interface Message {
  name?: string
  input?: unknown
  /** The id of a question and of its answer. */
  id?: number
  value?: unknown
  error?: string
}

/** Asks and answers questions on the channel of a process. Both ends list the questions that they answer. */
export function connectPeer(channel: ChildProcess | NodeJS.Process, handlers: Handlers): Peer {
  const asked = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  let count = 0

  function send(message: Message, socket: Socket | undefined, onLost: () => void) {
    if (!channel.connected) return onLost()
    channel.send?.(message, socket, { keepOpen: true }, error => void (error && onLost()))
  }

  async function handle({ name = '', input, id }: Message, socket: Socket) {
    const answer: Message = id === undefined ? {} : { id }
    try {
      answer.value = await handlers[name]?.(input as never, socket)
    } catch (error) {
      answer.error = (error as Error).message
    }
    if (id !== undefined) send(answer, undefined, () => {})
  }

  channel.on('message', (message: Message, socket: Socket) => {
    if (message.name !== undefined) return void handle(message, socket)
    const question = asked.get(message.id as number)
    asked.delete(message.id as number)
    if (message.error === undefined) question?.resolve(message.value as never)
    else question?.reject(new Error(message.error))
  })
  function giveUp() {
    for (const { reject } of asked.values()) reject(new PeerGone())
    asked.clear()
  }
  // A process that ends while it is being sent a socket never disconnects.
  for (const event of ['disconnect', 'exit']) channel.on(event, giveUp)

  return {
    ask: (name, input) =>
      new Promise((resolve, reject) => {
        count += 1
        const id = count
        asked.set(id, { resolve, reject })
        send({ name, input, id }, undefined, () => {
          asked.delete(id)
          reject(new PeerGone())
        })
      }),
    tell: (name, input, socket) => send({ name, input }, socket, () => {}),
    giveUp,
  }
}
