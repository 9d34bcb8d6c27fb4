import { PanelBoundary } from '../../../components/failure.tsx'
import { Panel } from '../../../components/panel.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { createPart, usePart } from '../../../lib/load-part.ts'
import styles from './market.module.css'
import { type MarketProps, tradesTitle } from './market-props.ts'

const panels = createPart(() => import('./market-panels.tsx'))

/** Who traded and who holds the token. Loaded once the rest of the page can be read. */
export const LaunchMarket = (props: MarketProps) => (
  <PanelBoundary>
    <LoadedPanels {...props} />
  </PanelBoundary>
)

function LoadedPanels(props: MarketProps) {
  const loaded = usePart(panels)
  if (loaded) return <loaded.MarketPanels {...props} />
  return (
    <Panel title={tradesTitle(props)}>
      <Waiting className={styles.note}>Reading the trades…</Waiting>
    </Panel>
  )
}
