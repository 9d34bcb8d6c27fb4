import type { Network, SlipwayError } from '@slipway/client'
import { useEffect, useReducer } from 'react'
import { runAlone } from '../../actions/pending.ts'
import { useActionSheet } from '../../actions/use-sheet.tsx'
import { canSignFor, chooseNetwork, useRent } from '../../components/form.tsx'
import { createPart, PartError, useTypedWork } from '../../lib/load-part.ts'
import { useNow } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import { useDraft, watchDraft } from '../../lib/use-draft.ts'
import type { VerifiedAccount } from '../../social/verify-account.tsx'
import { useWallet } from '../../wallet/wallet-store.ts'
import { buildLaunch, launchCost, requestAgent } from './build-launch.ts'
import { placeDetails } from './check-draft.ts'
import { createLaunchAction } from './create-action.ts'
import { CHOICES, type Draft, EMPTY_DRAFT } from './draft.ts'
import { InterruptedLaunch, type Progress } from './interrupted-launch.tsx'
import { FIRST_FLOW, isSameLaunch, reduceLaunch } from './launch-flow.ts'
import { LaunchForm } from './launch-form.tsx'
import { RegisterLaunch } from './register-launch.tsx'
import { lockKeyOf, readStarted, type StartedLaunch, useStarted } from './started-launches.tsx'
import { useLauncher } from './who-section.tsx'

const addresses = createPart(() => import('@slipway/launch-model/addresses'))

/** From the form to the registered launch. */
export default function NewLaunch() {
  const { slipway, settings } = useSite()
  const { draft, change, clear } = useDraft('launch', EMPTY_DRAFT, CHOICES)
  const { account } = useWallet()
  const networks = settings.networks as Network[]
  const network = chooseNetwork(draft.network, networks, account)
  const { open, sheet } = useActionSheet()
  const nowMs = useNow('minute')
  const [flow, dispatch] = useReducer(reduceLaunch, FIRST_FLOW)
  const { refusal, problem, current, verified, complete } = flow
  const interrupted = useStarted().filter(({ genesisAccount }) => genesisAccount !== complete?.genesisAccount)
  const begun = interrupted.find(started => isSameLaunch(draft, network, started))
  useLaunchLock(sheet ? current?.genesisAccount : undefined)
  // The proof of an account is not stored with the draft.
  useTypedWork(verified !== undefined, { isKept: false })
  const picture = findDefaultPicture(settings.publicUrl)
  const launcher = useLauncher(draft, network)
  const rent = useRent(network)
  const cost = rent && launchCost(draft, rent)

  const actionParts = (network: Network) => ({
    slipway,
    rpcUrl: settings.rpc[network]?.url,
    network,
    onStarted: (started: StartedLaunch) => dispatch({ type: 'progressed', started }),
    onComplete: (started: StartedLaunch) => dispatch({ type: 'completed', started }),
  })

  async function create() {
    if (!account || !canSignFor(network, account)) return
    // If an agent was chosen, the wallet itself must not launch.
    if (draft.agent !== '' && !launcher.agent) return
    if (begun) return
    dispatch({ type: 'submitted' })
    const wallet = account.address
    const earner = await findEarner(draft, wallet).catch((error: Error) => error)
    if (earner instanceof Error) {
      const reason = earner instanceof PartError ? earner.message : NO_EARNER
      return dispatch({ type: 'refused', refusal: { faults: {}, others: [reason] } })
    }
    const launch = buildLaunch(draft, {
      ...{ wallet, earner, network },
      pictureUrl: picture.url,
      nowMs: Date.now(),
    })
    const isForgotten = watchDraft('launch')
    open(
      createLaunchAction({
        ...actionParts(network),
        request: { wallet, launch, ...(launcher.agent && { agent: requestAgent(draft, launcher.agent) }) },
        ...(cost && { estimate: { totalLamports: cost.total, rentLamports: cost.accounts } }),
        verification: verified && { token: verified.token, expiresAt: verified.expiresAt.toISOString() },
        isDone: () => isForgotten() || readStarted().some(started => isSameLaunch(draft, network, started)),
        onInvalid: error => dispatch({ type: 'refused', refusal: placeDetails(error, draft.mechanic) }),
      }),
    )
  }

  function proceed(started: StartedLaunch, { confirmed, total }: Progress) {
    const { network, request, genesisAccount, earlier } = started
    if (confirmed === total) return dispatch({ type: 'completed', started })
    dispatch({ type: 'continued', started })
    open(
      createLaunchAction({
        ...actionParts(network),
        request,
        started: { ...started, confirmed: confirmed - earlier },
        verification: started.verification,
        onInvalid: error => dispatch({ type: 'not-continued', genesisAccount, text: describe(error) }),
      }),
    )
  }

  /** The proof is about one account, so the link is that account. */
  function verify(account: VerifiedAccount | undefined) {
    dispatch({ type: 'verified', account })
    if (account) change({ social: `@${account.username}` })
  }

  function changeField(next: Partial<Draft>) {
    change(next)
    dispatch({ type: 'edited', change: next })
  }

  if (complete)
    return (
      <RegisterLaunch
        key={complete.genesisAccount}
        started={complete}
        onRegistered={() => {
          // The form may describe another launch by now.
          if (isSameLaunch(draft, network, complete)) clear()
          dispatch({ type: 'registered' })
        }}
        onLeave={() => dispatch({ type: 'left' })}
      />
    )
  return (
    <div className="column gap-6">
      {!sheet &&
        interrupted.map(started => (
          <InterruptedLaunch
            key={started.genesisAccount}
            started={started}
            isNew={started.genesisAccount === current?.genesisAccount}
            problem={problem?.genesisAccount === started.genesisAccount ? problem.text : undefined}
            onContinue={progress => proceed(started, progress)}
          />
        ))}
      <LaunchForm
        {...{ draft, cost, launcher, refusal, network, networks, nowMs }}
        pictureUrl={picture.shownUrl}
        isSecondary={interrupted.length > 0}
        begunName={begun?.request.launch.name}
        onClear={clear}
        verified={verified}
        onVerified={verify}
        onChange={changeField}
        onCreate={() => void create()}
      />
      {sheet}
    </div>
  )
}

const NO_EARNER = 'This page can’t derive the address of the agent’s wallet. Reload it, over HTTPS.'

/**
 * Who gets what the launch earns. The service names the agent's wallet too, but a wrong address would get everything,
 * so it is derived here. That code is loaded with the rest of the wallet's.
 */
async function findEarner({ agent, earner }: Draft, wallet: string): Promise<string> {
  if (agent === '' || earner === 'wallet') return wallet
  const { assetSignerAddress } = await addresses.load()
  return assetSignerAddress(agent as Parameters<typeof assetSignerAddress>[0])
}

const describe = ({ message, details }: SlipwayError): string =>
  details?.length ? details.map(({ path, message: text }) => `${path} ${text}`).join('; ') : message

/** Tells other tabs that this one is creating the launch, for as long as its sheet is open. */
function useLaunchLock(genesisAccount: string | undefined) {
  useEffect(() => {
    if (!genesisAccount) return undefined
    let release = () => {}
    void runAlone(lockKeyOf(genesisAccount), () => new Promise<void>(resolve => (release = resolve)))
    return () => release()
  }, [genesisAccount])
}

/**
 * The picture of a token without its own: the mark of this site. The name of its file depends on its content
 * alone, so the URL outlives new versions of the site. A preview shows it from where the page was loaded.
 */
function findDefaultPicture(publicUrl: string): { url: string; shownUrl: string } {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '/'
  const shown = new URL(icon, location.href)
  return { url: new URL(shown.pathname, publicUrl).href, shownUrl: shown.href }
}
