import WebSocket from 'ws'
import { createSteadyClock } from '../../lib/steady-clock.ts'
import { type JsonRecord, toAddress, toBytes, toCount, toRecord } from '../rpc/json-rpc.ts'
import { encodeFilter } from '../rpc/requests.ts'
import type { FollowLimits, FollowObserver, ProgramTopic } from './following.ts'

/** Why a connection ended. The message contains no URL, which may hold a key. */
export class SessionEnded extends Error {
  readonly isRefused: boolean

  constructor(reason: string, isRefused = false) {
    super(reason)
    this.isRefused = isRefused
  }
}

const MESSAGE_BYTES_MAX = 16 * 1024 * 1024
const SLOTS = 'slots'

interface PendingCall {
  topic: string
  isOptional: boolean
}

/** Runs one connection from opening to end. Resolves with the reason for its end. */
export function runSession({
  url,
  topics,
  limits,
  observer,
  signal,
}: {
  url: string
  topics: readonly ProgramTopic[]
  limits: FollowLimits
  observer: Omit<FollowObserver, 'onDown'>
  signal: AbortSignal
}): Promise<SessionEnded> {
  return new Promise(resolve => {
    const socket = new WebSocket(url, {
      handshakeTimeout: limits.connectMs,
      maxPayload: MESSAGE_BYTES_MAX,
      perMessageDeflate: false,
    })
    /** Keyed by call id until the call is answered, then in `topicOf` by subscription id. */
    const pendingCalls = new Map<number, PendingCall>()
    const topicOf = new Map<number, string>()
    // After a suspend, the connection is silent for as long as that took: nothing more will come over it.
    const now = createSteadyClock()
    let lastMessageAtMs = now()
    let slotAtMs: number | undefined
    let isLive = false
    let isOver = false

    const heartbeat = setInterval(() => {
      const nowMs = now()
      const isSilent = nowMs - lastMessageAtMs > limits.silenceMs
      // The connection works, but the node reports nothing: it hangs, or has lost our subscriptions.
      const isStuck = slotAtMs !== undefined && nowMs - slotAtMs > limits.silenceMs
      if (isSilent || isStuck)
        end(new SessionEnded(isStuck ? 'no slot was reported for too long' : 'silence'))
      else if (socket.readyState === WebSocket.OPEN) socket.ping()
    }, limits.pingMs)
    heartbeat.unref()

    function end(reason: SessionEnded) {
      if (isOver) return
      isOver = true
      clearInterval(heartbeat)
      signal.removeEventListener('abort', onAbort)
      socket.terminate()
      resolve(reason)
    }
    const onAbort = () => end(new SessionEnded('stopped'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)

    function ask(method: string, params: unknown[], call: PendingCall) {
      const id = pendingCalls.size + 1
      pendingCalls.set(id, call)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    }

    function onAnswer({ id, result, error }: JsonRecord) {
      const call = pendingCalls.get(id as number)
      if (!call) return
      if (error !== undefined) {
        const reason = `${String(toRecord(error, 'error').message).slice(0, 200)}`
        if (!call.isOptional) end(new SessionEnded(`${call.topic} was refused: ${reason}`, true))
        else if (call.topic !== SLOTS) observer.onTopicRefused(call.topic, reason)
      } else {
        topicOf.set(toCount(result, 'subscription'), call.topic)
        if (call.topic === SLOTS) slotAtMs = now()
      }
      pendingCalls.delete(id as number)
      if (pendingCalls.size > 0 || isLive || isOver) return
      isLive = true
      observer.onLive()
    }

    function onNotification({ method, params }: JsonRecord) {
      const { subscription, result } = toRecord(params, 'params')
      const topic = topicOf.get(subscription as number)
      if (topic === undefined) return
      const notification = toRecord(result, 'result')
      if (method === 'slotNotification') {
        slotAtMs = now()
        observer.onSlot(toCount(notification.slot, 'slot'), toCount(notification.parent, 'parent'))
      } else if (method === 'programNotification') {
        const { pubkey, account } = toRecord(notification.value, 'value')
        observer.onChange({
          topic,
          slot: toCount(toRecord(notification.context, 'context').slot, 'slot'),
          address: toAddress(pubkey, 'pubkey'),
          data: toBytes(toRecord(account, 'account').data, 'data'),
        })
      }
    }

    socket.on('open', () => {
      const all = [...topics]
      // All calls are registered before the first answer can arrive.
      ask('slotSubscribe', [], { topic: SLOTS, isOptional: true })
      for (const { name, program, filters, dataSlice, isOptional = false } of all) {
        const config = {
          commitment: 'confirmed',
          encoding: 'base64',
          filters: filters.map(encodeFilter),
          ...(dataSlice && { dataSlice }),
        }
        ask('programSubscribe', [program, config], { topic: name, isOptional })
      }
    })
    socket.on('pong', () => {
      lastMessageAtMs = now()
    })
    socket.on('message', data => {
      if (isOver) return
      lastMessageAtMs = now()
      try {
        const message = toRecord(JSON.parse(String(data)), 'message')
        if (message.id !== undefined && message.id !== null) onAnswer(message)
        else onNotification(message)
      } catch {
        // A change may be lost, so the accounts have to be read again.
        end(new SessionEnded('received a malformed message'))
      }
    })
    socket.on('unexpected-response', (_, response) => {
      end(new SessionEnded(`HTTP ${response.statusCode}`, isForGood(response.statusCode ?? 0)))
    })
    socket.on('error', error => end(new SessionEnded(reasonOf(error))))
    socket.on('close', code => end(new SessionEnded(`closed (${code})`)))
  })
}

/** An overloaded or restarting server uses the other codes; these are refusals. */
const isForGood = (status: number) => status !== 429 && status < 500

const reasonOf = (error: NodeJS.ErrnoException) => error.code ?? error.message.split('\n', 1)[0] ?? error.name
