import type { LaunchPosition } from '@slipway/client'
import { REFUSALS } from '@slipway/launch-model/actions'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { Action } from '../../../actions/action.ts'
import { useActionSheet } from '../../../actions/use-sheet.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogBoundary, PanelBoundary } from '../../../components/failure.tsx'
import { Panel } from '../../../components/layout.tsx'
import { Waiting } from '../../../components/notice.tsx'
import { NARROW, useIsNarrow } from '../../../lib/hooks.ts'
import { isRaise, TAKE_PART_ID, titleOf } from '../../../lib/launches.ts'
import { createPart, usePart } from '../../../lib/load-part.ts'
import { useIsHydrated } from '../../../lib/now.ts'
import type { TakePartProps } from './context.ts'
import { type KnownOffer, useOffer } from './offer.ts'
import { OpensLater } from './opens-later.tsx'
import styles from './take-part.module.css'
import { TakePartBar } from './take-part-bar.tsx'
import type { TakePartFormProps } from './take-part-form.tsx'

const BAR_ID = `${TAKE_PART_ID}-bar`

const form = createPart(() => import('./take-part-form.tsx'))

/** Where people buy, sell, deposit and claim: a box beside the chart or, on a phone, a bar that opens a sheet. */
export function useTakePart(props: TakePartProps): {
  skip: ReactNode
  box: ReactNode
  bar: ReactNode
} {
  const { data, status } = props
  const isHydrated = useIsHydrated()
  const isNarrow = useIsNarrow()
  const [isOpen, setOpen] = useState(false)
  const offer = useOffer(props)
  const title = nameBox(props, offer)
  const close = () => setOpen(false)
  useEffect(() => {
    if (location.hash !== `#${TAKE_PART_ID}` || !matchMedia(NARROW).matches) return
    setOpen(true)
    // Going back to the page should not open it again.
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  // Turning a phone replaces the form, but not the sheet in which something is being signed.
  const { open: openSheet, sheet } = useActionSheet()
  const [before, setBefore] = useState<LaunchPosition>()
  const [done, setDone] = useState<{ text: string; wallet: string | undefined }>()
  const wallet = offer.account?.address
  const open = (action: Action) => {
    setDone(undefined)
    openSheet({ ...action, onDone: text => setDone({ text, wallet }) })
  }
  const said = done?.wallet === wallet ? done?.text : undefined
  const isSigning = sheet !== undefined
  const closeIfDone = useEffectEvent(() => {
    if (done) close()
  })
  // After a transaction, people want to see the page. The signing sheet has given the focus back by then.
  useEffect(() => {
    if (!isSigning) closeIfDone()
  }, [isSigning])
  // Once something else can be done, the button that had the focus is gone. The box gets it instead.
  const next = !isSigning && said !== undefined ? (offer.main ?? 'nothing') : undefined
  useEffect(() => {
    if (next && document.activeElement === document.body)
      document.getElementById(TAKE_PART_ID)?.focus({ preventScroll: true })
  }, [next])
  const isUpcoming = status === 'upcoming'
  const shown = { ...props, ...{ offer, open, before, setBefore, said }, onBegin: () => setDone(undefined) }
  return {
    skip: (
      <a className="skip" href={`#${isNarrow ? BAR_ID : TAKE_PART_ID}`}>
        Skip to {title.toLowerCase()}
      </a>
    ),
    box: (
      <div
        id={TAKE_PART_ID}
        className={isUpcoming ? `${styles.box} ${styles.upcoming}` : styles.box}
        tabIndex={-1}
      >
        <PanelBoundary>
          {isUpcoming ? (
            <Panel title={title}>
              <OpensLater {...props} />
            </Panel>
          ) : (
            <LoadedForm {...shown} title={title} isReady={isHydrated && !isNarrow} />
          )}
        </PanelBoundary>
      </div>
    ),
    bar: (
      <>
        <TakePartBar {...props} {...{ offer, before, said }} id={BAR_ID} onOpen={() => setOpen(true)}>
          {isOpen && isNarrow && !isUpcoming && (
            <DialogBoundary title={title} onClose={close}>
              <Dialog title={title} lead={titleOf(data)} onClose={close}>
                <LoadedForm {...shown} isReady />
              </Dialog>
            </DialogBoundary>
          )}
        </TakePartBar>
        {sheet}
      </>
    ),
  }
}

function LoadedForm({ isReady, ...props }: TakePartFormProps & { isReady: boolean }) {
  return isReady ? <ReadyForm {...props} /> : <Preparing title={props.title} />
}

function ReadyForm(props: TakePartFormProps) {
  const loaded = usePart(form)
  return loaded ? <loaded.TakePartForm {...props} /> : <Preparing title={props.title} />
}

function Preparing({ title }: { title: string | undefined }) {
  const text = <Waiting className={styles.preparing}>Reading the launch…</Waiting>
  return title === undefined ? text : <Panel title={title}>{text}</Panel>
}

function nameBox({ data }: TakePartProps, offer: KnownOffer): string {
  if (offer.isMissed) return 'Refunds'
  if (offer.standstill === REFUSALS.SOLD_OUT) return 'Graduation'
  if (!isRaise(data.launch.mechanic) || (!offer.takesDeposits && offer.hasPool)) return 'Buy and sell'
  if (!offer.takesDeposits || offer.isClosed) return 'Your tokens'
  return wordsOf(data.launch.mechanic).isShared ? 'Your deposit' : 'Deposit'
}
