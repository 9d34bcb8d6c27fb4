import { Panel } from '../../../components/panel.tsx'
import { Holders } from './holders.tsx'
import { type MarketProps, tradesTitle } from './market-props.ts'
import { Trades } from './trades.tsx'

export const MarketPanels = (props: MarketProps) => (
  <>
    <Panel title={tradesTitle(props)}>
      <Trades {...props} />
    </Panel>
    <Panel title="Holders">
      <Holders {...props} />
    </Panel>
  </>
)
