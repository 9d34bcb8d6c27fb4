import type { CreatorRewards, Network } from '@slipway/client'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { TransactionState } from '../../actions/action.ts'
import { isRunning, onPendingChanged, readPending } from '../../actions/pending.ts'
import { useActionSheet } from '../../actions/use-sheet.tsx'
import { formatSaid, NATIVE_DECIMALS, shorten } from '../../lib/format.ts'
import { titleOf } from '../../lib/launches.ts'
import { createPart } from '../../lib/load-part.ts'
import { launchQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { TRANSACTIONS_MAX } from '../../transactions/intent.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import type { BuiltClaim } from './build-claim.ts'

const claiming = createPart(() => import('./build-claim.ts'))

type States = ReadonlyMap<string, TransactionState>

export interface Claim {
  /** The progress of each bucket, by its address. */
  states: States
  /** Whether this or another tab is claiming now, or looking up a claim's outcome. */
  isRunning: boolean
  open(): void
  /** Render it somewhere. */
  sheet: ReactNode
}

/** Claims everything that a wallet can claim. Whichever account is connected pays the fees. */
export function useClaim({ wallet, buckets }: CreatorRewards, network: Network): Claim {
  const { slipway } = useSite()
  const queryClient = useQueryClient()
  const { open, sheet } = useActionSheet()
  const key = `claim:${network}:${wallet}`
  const [progress, setProgress] = useState<States>(new Map())
  const payer = useWallet().account?.address
  const running = useRunning(key, payer !== undefined)
  const states = useMemo(() => merge(progress, running), [progress, running])

  return {
    states,
    isRunning: running.isRunning,
    sheet,
    open() {
      setProgress(new Map())
      let built: BuiltClaim | undefined
      // The rows of the page have asked for the launches.
      const nameOf = (genesisAddress: string) => {
        const launch = queryClient.getQueryData(launchQuery(slipway, network, genesisAddress).queryKey)
        return launch ? titleOf(launch) : `Launch ${shorten(genesisAddress)}`
      }
      open({
        key,
        title: 'Claim rewards',
        network,
        async build(signal) {
          // This code decodes transactions, which the page needs only now.
          const { buildClaim } = await claiming.load()
          built = await buildClaim(
            slipway,
            { wallet, payer, network, buckets, max: TRANSACTIONS_MAX, nameOf },
            signal,
          )
          return built
        },
        rest: 'Claim the rest',
        // Without wrapped or other tokens, what arrives is in the wallet's own balance.
        result(changes) {
          const got = changes.get(WRAPPED_NATIVE_MINT) ?? 0n
          const isPlain = payer === wallet && built?.wrapped === 0 && built.income !== undefined
          return isPlain && got > 0n ? `You got ${formatSaid(got, NATIVE_DECIMALS)} SOL.` : undefined
        },
        done: () => describeDone(payer === wallet ? undefined : wallet, built),
        onStates(next) {
          setProgress(before => new Map([...before, ...next]))
          if ([...next.values()].every(isSettled))
            void queryClient.invalidateQueries({ queryKey: queryKeys.rewards(network, wallet) })
        },
      })
    },
  }
}

/** `other` is the wallet that was paid, if it is not the connected one. */
function describeDone(other: string | undefined, built: BuiltClaim | undefined): string {
  const place = `The rewards are in ${other === undefined ? 'your wallet' : `the wallet ${shorten(other)}`}`
  const [income] = built?.income ?? []
  if (!built || built.wrapped === 0)
    return other === undefined && income
      ? `You got about ${formatSaid(income.units, NATIVE_DECIMALS)} SOL.`
      : `${place}.`
  const part = built.wrapped < built.transactions.length ? 'some of them ' : ''
  const how = other === undefined ? 'unwrap it or close' : 'the owner unwraps it or closes'
  return `${place}, ${part}as wrapped SOL, which is SOL held as a token. To get plain SOL, ${how} the token account.`
}

const isSettled = (state: TransactionState) => state !== 'ready' && state !== 'signed' && state !== 'sent'

interface Running {
  isRunning: boolean
  /** Claims that were sent by this tab before a reload, or by another tab. */
  subjects: readonly string[]
  /** Whether a node has accepted any of it. */
  isSent: boolean
}

/** A claim counts as sent only while a tab works on it. After that, the page's figures show the result. */
function merge(progress: States, { isRunning, subjects, isSent }: Running): States {
  const states = new Map<string, TransactionState>()
  if (isRunning) for (const subject of subjects) states.set(subject, isSent ? 'sent' : 'signed')
  for (const [subject, state] of progress) if (isRunning || isSettled(state)) states.set(subject, state)
  return states
}

const LOOK_MS = 1_000

function useRunning(key: string, isWatched: boolean): Running {
  const [running, setRunning] = useState<Running>({ isRunning: false, subjects: [], isSent: false })
  useEffect(() => {
    if (!isWatched) return undefined
    let isWatching = true
    const look = async () => {
      const now = await isRunning(key)
      const { subjects = [], isSent = false } = readPending().find(one => one.key === key) ?? {}
      if (isWatching)
        setRunning(before =>
          before.isRunning === now && before.isSent === isSent && `${before.subjects}` === `${subjects}`
            ? before
            : { isRunning: now, subjects, isSent },
        )
    }
    const stop = onPendingChanged(() => void look())
    const timer = setInterval(() => void look(), LOOK_MS)
    void look()
    return () => {
      isWatching = false
      clearInterval(timer)
      stop()
    }
  }, [key, isWatched])
  return running
}
