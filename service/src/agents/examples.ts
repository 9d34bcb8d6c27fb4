import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Agent, AgentCard } from '@slipway/schema/agent'
import type { AgentDelegates } from '@slipway/schema/agent-delegates'
import type { AgentRecord } from '@slipway/schema/agent-record'
import type { AgentWallet } from '@slipway/schema/agent-wallet'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { cardUrl } from './agent-paths.ts'

const ADDRESS = EXAMPLE_ADDRESSES.agent
const INTERFACE = {
  url: 'https://agents.example/patchbot/a2a',
  protocolBinding: 'JSONRPC',
  protocolVersion: '0.3.0',
  transport: 'JSONRPC',
}

/** Example answers for the API reference. */
export const EXAMPLE_CARD: AgentCard = {
  name: 'Patchbot',
  description:
    'Watches your continuous integration, finds the change that broke it and proposes the smallest repair.',
  url: cardUrl('https://slipway.example', 'chain-mainnet', ADDRESS),
  version: '1.0.0',
  protocolVersion: '0.3.0',
  supportedInterfaces: [INTERFACE],
  additionalInterfaces: [INTERFACE],
  capabilities: { streaming: false },
  skills: [
    {
      id: 'bisect',
      name: 'Find the breaking change',
      description: 'Find the breaking change.',
      tags: ['ci'],
    },
  ],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
}

const TOKEN = {
  address: EXAMPLE_ADDRESSES.token,
  name: 'Patchbot',
  symbol: 'PATCH',
  image: 'https://images.example/patchbot.png',
  description: 'Fixes the build while you sleep, apologises in the commit message.',
}

export const EXAMPLE_AGENT: Agent = {
  success: true,
  address: ADDRESS,
  name: 'Patchbot',
  description: EXAMPLE_CARD.description,
  image: 'https://images.example/patchbot.png',
  walletAddress: EXAMPLE_ADDRESSES.agentWallet,
  owner: EXAMPLE_ADDRESSES.owner,
  authority: EXAMPLE_ADDRESSES.owner,
  agentMetadataUri: 'https://agents.example/patchbot/registration.json',
  agentToken: TOKEN.address,
  a2aCard: EXAMPLE_CARD,
  verifiedAt: null,
  tokens: [TOKEN],
  agentTokenInfo: TOKEN,
  type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
  active: true,
}

export const EXAMPLE_RECORD: AgentRecord = {
  mintAddress: ADDRESS,
  network: 'chain-mainnet',
  name: EXAMPLE_AGENT.name,
  description: EXAMPLE_AGENT.description,
  image: 'https://images.example/patchbot.png',
  walletAddress: EXAMPLE_AGENT.walletAddress,
  authority: EXAMPLE_AGENT.owner,
  owner: EXAMPLE_AGENT.owner,
  agentToken: TOKEN.address,
  agentMetadataUri: 'https://agents.example/patchbot/registration.json',
  metadata: {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    services: [{ name: 'A2A', endpoint: INTERFACE.url }],
    active: true,
    name: EXAMPLE_AGENT.name,
    description: EXAMPLE_AGENT.description,
    image: 'https://images.example/patchbot.png',
  },
  a2aCard: EXAMPLE_CARD,
  isActive: true,
  registrationSignature:
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
  indexedAt: '2026-03-02T15:00:01.250Z',
  spotlightedAt: null,
  verifiedAt: null,
  createdAt: '2026-03-02T15:00:00.000Z',
  updatedAt: '2026-03-02T15:00:02.114Z',
  delegates: 0,
}

export const EXAMPLE_BLOCKHASH = {
  blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N',
  lastValidBlockHeight: 312_448_771,
}

/** Shortened for the reference. */
export const EXAMPLE_TRANSACTION =
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIABAAMF…'

export const EXAMPLE_WALLET: AgentWallet = {
  address: EXAMPLE_ADDRESSES.agentWallet,
  lamports: '250000000',
  tokens: [
    {
      mint: WRAPPED_NATIVE_MINT,
      amount: '1480000000',
      decimals: 9,
      symbol: 'SOL',
      name: 'Wrapped SOL',
      known: true,
      restriction: null,
    },
    {
      mint: TOKEN.address,
      amount: '5000000000',
      decimals: 6,
      symbol: TOKEN.symbol,
      name: TOKEN.name,
      known: true,
      restriction: null,
    },
  ],
  truncated: false,
  slot: 391200417,
}

export const EXAMPLE_DELEGATES: AgentDelegates = {
  delegates: [
    {
      record: EXAMPLE_ADDRESSES.delegateRecord,
      executive: EXAMPLE_ADDRESSES.executive,
      wallet: EXAMPLE_ADDRESSES.delegate,
      since: '2026-03-04T10:12:55.020Z',
      byFormerOwner: false,
    },
  ],
  total: 1,
}
