import { listDemoKeys } from '@slipway/local-chain'
import type { Network } from '@slipway/schema/network'
import type { Locator, Page } from 'playwright-core'
import { useDemo } from '../../service/src/testing/demo.ts'
import { useTestService } from '../../service/src/testing/test-service.ts'
import { isInteractive, openPage, PHONE } from './site-browser.ts'

/** The site on the demo chains, with its demo wallet: one for all tests of a file. */
export function useDemoSite() {
  const world = useDemo()
  const service = useTestService(() => {
    const { demo } = world
    return {
      site: true,
      config: {
        ...world.config(),
        publicUrl: 'http://localhost',
        hostsDocuments: { 'chain-mainnet': true, 'chain-devnet': true },
      },
      social: { apiUrl: demo.socialUrl },
      chains: {
        documentsHost: demo.documentsHost,
        networks: demo.networks.map(({ local: { network, rpcUrl, wsUrl, chain }, world }) => ({
          network: network as Network,
          rpcUrl,
          wsUrl,
          genesisHash: chain.genesisHash(),
          keys: listDemoKeys(world),
        })),
      },
    }
  })
  return {
    world,
    get service() {
      return service()
    },
    rpcUrl: (network: Network = 'chain-mainnet') => world.chainOf(network).local.rpcUrl,
    async open(path: string, options?: Parameters<typeof openPage>[1]) {
      const opened = await openPage(`${service().url}${path}`, options)
      await isInteractive(opened.page)
      return opened
    },
  }
}

/** Connects the demo wallet as the account with this label, such as `Owner of Tidewatch`. */
export async function connectAs(page: Page, label: string, network = 'Mainnet'): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Connect a wallet' }).click()
  await page.getByRole('button', { name: 'Demo wallet' }).click()
  await chooseAccount(page, label, network)
}

/** Chooses among the accounts of the connected wallet, in its dialog. */
export async function chooseAccount(page: Page, label: string, network = 'Mainnet'): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(label)
  await page.getByRole('button', { name: new RegExp(`^${label}.*${network}`) }).click()
}

/**
 * Loses what a page sends to an RPC, as a network in trouble does. After that, the chain seems to be far past the
 * last block of these transactions. `stop` lets later ones through.
 */
export async function loseTransactions(page: Page, rpcUrl: string): Promise<{ stop(): void }> {
  let isLosing = true
  let isLate = false
  await page.route(`${rpcUrl}/**`, async route => {
    const { method, id } = route.request().postDataJSON() ?? {}
    const answer = (result: unknown) => route.fulfill({ json: { jsonrpc: '2.0', id, result } })
    if (method === 'getBlockHeight' && isLate) return answer(FAR_BLOCK)
    if (method !== 'sendTransaction' || !isLosing) return route.continue()
    isLate = true
    return answer('1'.repeat(64))
  })
  return {
    stop() {
      isLosing = false
    },
  }
}
export const FAR_BLOCK = 1_000_000_000

/** The form that moves an agent's funds, as its owner sees it. On a phone, a bar opens it. */
export async function openFunds(page: Page, size: object): Promise<Locator> {
  if (size !== PHONE) return page.getByRole('region', { name: 'Wallet' })
  await page.getByRole('button', { name: 'Fund or withdraw' }).click()
  return page.getByRole('dialog', { name: 'Fund or withdraw' })
}

/** Lets the demo wallet sign what it asks about. */
export async function sign(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign with Demo wallet' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
}
