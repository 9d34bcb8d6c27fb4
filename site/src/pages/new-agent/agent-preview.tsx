import type { Network } from '@slipway/client'
import { AgentCards } from '../agents/agent-cards.tsx'
import type { AgentDraft } from './agent-draft.ts'

/** The agent as the directory will show it. */
export function AgentPreview({ draft, network }: { draft: AgentDraft; network: Network }) {
  const { name, description, picture, services } = draft
  return (
    <>
      <h2>In the directory</h2>
      <div inert>
        <AgentCards
          network={network}
          isStale={false}
          agents={[
            {
              address: PREVIEW_ADDRESS,
              name: name.trim() || 'Name',
              description: description.trim() || 'What it does',
              image: picture.trim() || null,
              services: services.filter(({ endpoint }) => endpoint.trim() !== '').map(({ kind }) => kind),
              ...{ skills: [], skillCount: 0, walletAddress: '', createdAt: '', delegates: 0 },
              isActive: true,
              isVerified: false,
              isSpotlighted: false,
              hasToken: false,
              isDescribed: true,
              isShortened: false,
              hasDocument: true,
            },
          ]}
        />
      </div>
    </>
  )
}

/** Only the picture's colours come from it. */
const PREVIEW_ADDRESS = '11111111111111111111111111111111'
