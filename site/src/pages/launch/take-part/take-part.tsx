import type { LaunchPosition } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useActionSheet } from '../../../actions/use-sheet.tsx'
import { ActionBar } from '../../../components/action-bar.tsx'
import { Amount } from '../../../components/amount.tsx'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogBoundary, PanelBoundary } from '../../../components/failure.tsx'
import { Panel } from '../../../components/panel.tsx'
import { Price } from '../../../components/price.tsx'
import { quoteSymbol } from '../../../lib/format.ts'
import { hasMissedGoal, isRaise, TAKE_PART_ID, titleOf } from '../../../lib/launches.ts'
import { createPart, usePart } from '../../../lib/load-part.ts'
import { useIsHydrated, useNow } from '../../../lib/now.ts'
import { hasPoolQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import { NARROW, useIsNarrow } from '../../../lib/use-is-narrow.ts'
import { OpensIn, OpensLater } from './opens-later.tsx'
import styles from './take-part.module.css'
import type { TakePartFormProps, TakePartProps } from './taking.ts'
import { useStandstill } from './use-standstill.ts'

const form = createPart(() => import('./take-part-form.tsx'))

/** Where people buy, sell, deposit and claim: a box beside the chart or, on a phone, a bar that opens a sheet. */
export function useTakePart(props: TakePartProps): { box: ReactNode; bar: ReactNode } {
  const { data, status } = props
  const isHydrated = useIsHydrated()
  const isNarrow = useIsNarrow()
  const [isOpen, setOpen] = useState(false)
  const { data: hasPool } = useQuery({
    ...hasPoolQuery(useSite().slipway, props.network, data.launch.genesisAddress),
    enabled: isHydrated && status === 'graduated' && isRaise(data.launch.mechanic),
  })
  const { standstill, canClaim } = useStandstill(props)
  const title = titleAt(props, useNow('second'), { hasPool: hasPool === true, standstill })
  const close = () => setOpen(false)
  useEffect(() => {
    if (location.hash !== `#${TAKE_PART_ID}` || !matchMedia(NARROW).matches) return
    setOpen(true)
    // Going back to the page should not open it again.
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  // Turning a phone replaces the form, but not the sheet in which something is being signed.
  const { open, sheet } = useActionSheet()
  const [before, setBefore] = useState<LaunchPosition>()
  const isUpcoming = status === 'upcoming'
  const loaded = isUpcoming ? (
    <OpensLater data={data} />
  ) : (
    <LoadedForm {...props} {...{ standstill, open, before, setBefore }} />
  )
  return {
    box: (
      <div id={TAKE_PART_ID} className={styles.box}>
        <Panel title={title}>
          {isUpcoming || (isHydrated && !isNarrow) ? <PanelBoundary>{loaded}</PanelBoundary> : <Preparing />}
        </Panel>
      </div>
    ),
    bar: (
      <>
        <ActionBar standing={<Standing {...props} />}>
          {!isUpcoming && (
            <Button
              kind={standstill === undefined || standstill === 'SOLD_OUT' ? 'primary' : 'quiet'}
              onClick={() => setOpen(true)}
              aria-haspopup="dialog"
            >
              {canClaim ? 'Claim tokens' : standstill === 'SOLD_OUT' ? 'Graduate' : title}
            </Button>
          )}
          {isOpen && isNarrow && !isUpcoming && (
            <DialogBoundary title={title} onClose={close}>
              <Dialog title={title} lead={titleOf(data)} onClose={close}>
                {loaded}
              </Dialog>
            </DialogBoundary>
          )}
        </ActionBar>
        {sheet}
      </>
    ),
  }
}

function LoadedForm(props: TakePartFormProps) {
  const loaded = usePart(form)
  return loaded ? <loaded.TakePartForm {...props} /> : <Preparing />
}

const Preparing = () => (
  <p role="status" className={styles.preparing}>
    Reading the launch…
  </p>
)

/** The one figure that people decide by. */
function Standing({ data, status, figures }: TakePartProps) {
  if (status === 'upcoming') return <OpensIn data={data} />
  if (!figures) return null
  const { raised, quoteDecimals, quoteMint, price } = figures
  const symbol = quoteSymbol(quoteMint)
  if (isRaise(data.launch.mechanic) && status === 'live')
    return (
      <>
        Raised{' '}
        <b>
          <Amount units={raised} decimals={quoteDecimals} symbol={symbol} />
        </b>
      </>
    )
  return (
    price !== null && (
      <>
        Price{' '}
        <b>
          <Price price={price} symbol={symbol} />
        </b>
      </>
    )
  )
}

function titleAt(
  { data, status, figures }: TakePartProps,
  nowMs: number,
  { hasPool, standstill }: { hasPool: boolean; standstill: string | undefined },
): string {
  const { launch } = data
  if (hasMissedGoal(data, figures, nowMs)) return 'Refunds'
  if (standstill === 'SOLD_OUT') return 'Graduation'
  if (!isRaise(launch.mechanic) || hasPool) return 'Buy and sell'
  return status !== 'graduated' && nowMs < Date.parse(launch.endTime) ? 'Deposit' : 'Your tokens'
}
