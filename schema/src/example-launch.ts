import { EXAMPLE_ADDRESSES } from './example-addresses.ts'
import type { LaunchData } from './launch.ts'

/** The launch of the examples in the API reference. */
export const EXAMPLE_LAUNCH: LaunchData = {
  launch: {
    launchPage: `https://slipway.example/launches/${EXAMPLE_ADDRESSES.launch}`,
    mechanic: 'bondingCurveV2',
    genesisAddress: EXAMPLE_ADDRESSES.launch,
    spotlight: true,
    startTime: '2026-03-02T15:00:00.000Z',
    endTime: '9999-12-31T23:59:59.999Z',
    status: 'live',
    heroUrl: 'heroes/patchbot.webp',
    graduatedAt: null,
    lastActivityAt: '2026-03-03T09:41:27.000Z',
    type: 'launchpool',
  },
  baseToken: {
    address: EXAMPLE_ADDRESSES.token,
    name: 'Patchbot',
    symbol: 'PATCH',
    image: 'https://images.example/patchbot.png',
    description: 'Fixes the build while you sleep, apologises in the commit message.',
  },
  website: 'https://patchbot.example',
  socials: { x: 'https://x.com/patchbot', telegram: 'https://t.me/patchbot' },
}
