import { identityAddress } from '@slipway/launch-model/addresses'
import { PublicKey } from '@solana/web3.js'
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { saveTestAgent } from '../../service/src/testing/agent-rows.ts'
import { connectAs, loseTransactions, sign, useDemoSite } from './demo-site.ts'
import { keyboardOf } from './keyboard.ts'
import { CHROMIUM, DESKTOP, eventually, findProblemsNow, PHONE, TEST_MS } from './site-browser.ts'

const LEAVES_AT_ONCE = `dispatchEvent(new Event('beforeunload', { cancelable: true }))`
const CREATE = '**/v1/launches/create'
const REGISTER = '**/v1/launches/register'
const NOT_FOUND = {
  success: false,
  error: 'Genesis account not found',
  details: [{ path: 'genesisAccount', message: 'does not exist: create the launch again' }],
}

describe.skipIf(!CHROMIUM)('creating a launch in a browser', () => {
  const site = useDemoSite()
  const field = (page: Page, name: string) =>
    page.getByRole('main').getByRole('textbox', { name, exact: true })
  const review = (page: Page) => page.getByRole('button', { name: 'Review the launch' }).click()

  const balanceOf = (address: string) =>
    Number(site.world.chainOf().local.chain.account(address as never)?.lamports ?? 0n) / 1e9

  async function openForm(name: string, symbol: string, options = DESKTOP) {
    const opened = await site.open('/launches/new', options)
    await field(opened.page, 'Name').fill(name)
    await field(opened.page, 'Symbol').fill(symbol)
    await connectAs(opened.page, 'Visitor')
    return opened
  }

  /** Opens the launch that was just registered, and returns what the API says of it. */
  async function openLaunch(page: Page, name: string) {
    await page.getByRole('link', { name: 'Open your launch' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    const response = await fetch(`${site.service.url}/v1/launches/${page.url().split('/').at(-1)}`)
    return ((await response.json()) as { data: object }).data
  }

  test(
    'a visitor creates a bonding curve with a first buy; what the API refuses is at its field, and a reload loses nothing',
    async () => {
      const { page, complaints } = await openForm('Tide\u200bwater', 'TIDE')
      await field(page, 'Picture (optional)').fill(`http://${site.world.demo.documentsHost}/tidewater.svg`)
      await page.getByText('Links', { exact: true }).click()
      await field(page, 'Website (optional)').fill('https://tidewater.example')
      await field(page, 'Your first buy (optional)').fill('100')
      await page.getByText('Enter less than 85 SOL, which would buy everything.').waitFor()
      await field(page, 'Your first buy (optional)').fill('0.5')
      expect(await findProblemsNow(page)).toEqual([])
      await review(page)
      await page.getByText('Must not have invisible characters.').waitFor()
      await eventually(() => page.evaluate('document.activeElement.name')).toBe('name')
      await page.reload()
      await page.getByRole('button', { name: 'Wallet: Visitor' }).waitFor()
      expect(await field(page, 'Your first buy (optional)').inputValue()).toBe('0.5')
      await field(page, 'Name').fill('Tidewater')
      await page.getByText('Verify your X account').click()
      await page.getByRole('button', { name: 'Use the demo token' }).click()
      await page.getByRole('button', { name: 'Verify', exact: true }).click()
      await page.getByText('Verified as @harbourmaster').waitFor()
      // A reload would lose the proof, so the browser asks first.
      await eventually(() => page.evaluate(LEAVES_AT_ONCE)).toBe(false)
      await review(page)
      await page.getByText('Create the token “Tidewater” (TIDE)').waitFor()
      await page.getByText('The first transaction passed a simulation.').waitFor()
      await page
        .getByRole('definition')
        .filter({ hasText: /About −0\.7\d SOL/ })
        .waitFor()
      const { address } = site.world.chainOf().world.visitor
      const before = balanceOf(address)
      expect(await findProblemsNow(page)).toEqual([])
      await sign(page)
      expect(await openLaunch(page, 'Tidewater')).toMatchObject({
        launch: { mechanic: 'bondingCurveV2' },
        baseToken: { name: 'Tidewater', symbol: 'TIDE' },
        website: 'https://tidewater.example',
        socials: { x: 'https://x.com/harbourmaster' },
        verifiedSocials: ['x'],
      })
      expect(before - balanceOf(address)).toBeCloseTo(0.74, 1)
      await page.goBack()
      expect(await field(page, 'Name').inputValue()).toBe('')
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )

  test(
    'a launch pool that was interrupted is continued on a phone, while a second tab waits, and registered at the second try',
    async () => {
      const { page } = await openForm('Glasswater', 'GLW', PHONE)
      await page.getByRole('radio', { name: /^Launch pool/ }).check()
      await review(page)
      await page.getByText('Transaction 4 of 4').waitFor()
      // After the first transaction, the RPC can't be reached.
      await page.route(`${site.rpcUrl()}/**`, dieAfterSends(1))
      await sign(page)
      await page.getByText('The chain is not answering').waitFor()
      const second = await page.context().newPage()
      await second.goto(page.url())
      await second.getByRole('heading', { name: 'Another tab is creating Glasswater' }).waitFor()
      await page.goto(site.service.url)
      await page.unrouteAll()
      await second.getByText('1 of 4 transactions confirmed.').waitFor()
      await second.close()

      await page.getByRole('link', { name: /^Continue Glasswater/ }).click()
      await page.getByText('1 of 4 transactions confirmed.').waitFor()
      // The form still describes it, and does not offer to create it a second time.
      await page.getByText('You have already started Glasswater').waitFor()
      expect(await page.getByRole('button', { name: 'Review the launch' }).count()).toBe(0)
      // The chain has a part of it, so this is wrong, and no reason to begin anew.
      await page.route(CREATE, route =>
        route.fulfill({ status: 400, headers: { 'Slipway-Error': 'GENESIS_NOT_FOUND' }, json: NOT_FOUND }),
      )
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('It can’t be continued').waitFor()
      await page.unroute(CREATE)
      await page.route(REGISTER, route =>
        route.fulfill({ status: 400, json: { success: false, error: 'No' } }),
      )
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('Transaction 3 of 3').waitFor()
      await sign(page)
      await page.getByText('Created: 4 transactions confirmed').waitFor()
      await page.getByText('Not registered').waitFor()
      await page.reload()
      await page.getByText('It is on the chain, and not registered yet.').waitFor()
      await page.unrouteAll()
      const started = await page.evaluate('localStorage.getItem("started-launches")')
      await page.getByRole('button', { name: 'Continue' }).click()
      expect(await openLaunch(page, 'Glasswater')).toMatchObject({ launch: { mechanic: 'launchpoolV2' } })
      expect(await page.evaluate('localStorage.getItem("started-launches")')).toBeNull()

      // As if another browser had registered it.
      await page.evaluate(`localStorage.setItem('started-launches', ${JSON.stringify(started)})`)
      await page.goto(`${site.service.url}/launches/new`)
      await page.getByRole('heading', { name: 'Glasswater is listed' }).waitFor()
      await page.getByRole('link', { name: 'Slipway', exact: true }).click()
      await page.getByRole('heading', { name: 'Launches', level: 1 }).waitFor()
      expect(await page.getByRole('link', { name: /^Continue Glasswater/ }).count()).toBe(0)
    },
    TEST_MS,
  )

  /** An agent that the service lists, because it was asked for. */
  async function listedAgent(slug: string) {
    const agent = site.world.agent(slug)
    const detail = async (): Promise<{
      tokens: { symbol: string; address: string }[]
    }> => (await fetch(`${site.service.url}/v1/agents/${agent.address}`)).json() as never
    await detail()
    return { ...agent, detail }
  }

  test(
    'with the keyboard alone, an owner launches a token as their agent, and it becomes the agent’s own',
    async () => {
      const { address, detail } = await listedAgent('tidewatch')
      const { page, complaints } = await site.open('/launches/new')
      const { tabTo, press, type } = keyboardOf(page)
      await tabTo(page.getByRole('banner').getByRole('button', { name: 'Connect a wallet' }))
      await press('Enter')
      await tabTo(page.getByRole('button', { name: 'Demo wallet' }))
      await press('Enter')
      await tabTo(page.getByRole('searchbox', { name: 'Search accounts' }))
      await type('Owner of Tidewatch')
      await tabTo(page.getByRole('button', { name: /^Owner of Tidewatch.*Mainnet/ }))
      await press('Enter')
      await tabTo(field(page, 'Name'))
      await type('Slack Water')
      await tabTo(field(page, 'Symbol'))
      await type('SLACK')
      await page.getByRole('radio', { name: /^Tidewatch/ }).waitFor()
      await tabTo(page.getByRole('radio', { name: /^Your wallet/ }))
      await press('ArrowDown')
      await tabTo(page.getByRole('checkbox', { name: 'Make this Tidewatch’s own token' }))
      await press('Space')
      await tabTo(page.getByRole('radio', { name: 'your wallet', exact: true }))
      await press('ArrowRight')
      await page.getByText('The agent’s wallet earns the creator’s fee of every trade.').waitFor()
      expect(await findProblemsNow(page)).toEqual([])
      await tabTo(page.getByRole('button', { name: 'Review the launch' }))
      await press('Enter')
      const sheet = page.getByRole('dialog')
      await sheet.getByText('Make the new token the agent’s own, for good').waitFor()
      await sheet.getByText(/^Create the token “Slack Water” .*, as your agent/).waitFor()
      expect(await sheet.getByText(/creator fees go to the agent’s wallet/).count()).toBe(2)
      await sheet.getByText('The first transaction passed a simulation.').waitFor()
      await sheet.getByText('Rent and program fees', { exact: true }).first().waitFor()
      await tabTo(page.getByRole('button', { name: 'Sign with Demo wallet' }))
      await press('Enter')
      await tabTo(page.getByRole('button', { name: 'Approve' }))
      await press('Enter')
      const link = page.getByRole('link', { name: 'Open your launch' })
      await link.waitFor()
      expect(complaints).toEqual([])
      await tabTo(link)
      await press('Enter')
      await page.getByRole('heading', { name: 'Slack Water', level: 1 }).waitFor()
      const [token] = (await detail()).tokens
      expect(token).toMatchObject({ symbol: 'SLACK' })
      const { data } = site.world.chainOf().local.chain.account(identityAddress(address)) ?? {}
      expect(Buffer.from(data ?? []).includes(new PublicKey(token?.address ?? '').toBuffer())).toBe(true)
    },
    TEST_MS,
  )

  test(
    'of many agents an owner finds one on a phone; what the API refuses is at the field, and a launch that differs or costs more than they have can’t be signed',
    async () => {
      const agent = await listedAgent('archivist')
      const owner = agent.owner.address
      for (const name of 'Bailiff Clerk Drafter Editor Herald Notary Porter Registrar Scribe'.split(' '))
        await saveTestAgent(site.service.database, name, {
          owner,
          display: { description: 'files' },
        })
      const { page } = await site.open('/launches/new', PHONE)
      await field(page, 'Name').fill('Minutes')
      await field(page, 'Symbol').fill('MIN')
      await connectAs(page, 'Owner of Archivist')
      const choices = page.getByRole('radiogroup', { name: 'Launch as' }).getByRole('radio')
      await page.getByRole('button', { name: 'Show more agents' }).click()
      await eventually(() => choices.count()).toBe(11)
      await page.getByRole('searchbox', { name: 'Search your agents' }).fill('archvist')
      await eventually(() => choices.count()).toBe(2)
      await page.getByRole('radio', { name: /^Archivist/ }).check()
      await page.getByRole('searchbox', { name: 'Search your agents' }).fill('notary')
      await eventually(() => choices.count()).toBe(3)

      // What is chosen stays, and is no longer right for another wallet.
      await page.getByRole('button', { name: /^Wallet/ }).click()
      await page.getByRole('searchbox', { name: 'Search accounts' }).fill('Visitor')
      await page.getByRole('button', { name: /^Visitor.*Mainnet/ }).click()
      await page.getByText('The connected wallet doesn’t own Archivist.').waitFor()
      await page.getByText('This wallet owns no agents on Mainnet.').waitFor()
      await review(page)
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.getByRole('button', { name: 'Act as the agent’s owner' }).click()
      expect(await findProblemsNow(page)).toEqual([])

      const refuse = (path: string, message: string) =>
        page.route(CREATE, route =>
          route.fulfill({
            status: 403,
            headers: { 'Slipway-Error': 'NOT_AUTHORIZED' },
            json: { success: false, error: 'Not authorized', details: [{ path, message }] },
          }),
        )
      await refuse('agent.mint', 'is not owned by wallet')
      await review(page)
      await page.getByRole('alert').getByText('Is not owned by wallet.').waitFor()
      await eventually(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('radiogroup')
      await page.unrouteAll()
      await refuse('agent.setToken', 'the agent has a token already')
      await review(page)
      await page.getByRole('alert').getByText('The agent has a token already.').waitFor()
      await eventually(() => page.evaluate('document.activeElement.name')).toBe('agentToken')
      await page.unrouteAll()

      const attacks: [string, object | undefined][] = [
        ['by the wallet', undefined],
        ['with a token for the agent', { mint: agent.address, setToken: true }],
      ]
      for (const [name, changed] of attacks) {
        await page.route(CREATE, route =>
          route.continue({ postData: { ...route.request().postDataJSON(), agent: changed } }),
        )
        await review(page)
        await page.getByText('This is not what you asked for').waitFor()
        expect(await page.getByRole('button', { name: /Sign/ }).count(), name).toBe(0)
        await page.unrouteAll()
        await page.getByRole('button', { name: 'Close' }).last().click()
      }

      // The first transaction alone would run.
      await field(page, 'Your first buy (optional)').fill('50')
      await review(page)
      await page.getByText('The first transaction passed a simulation.').waitFor()
      const [shortage, ...others] = await page.getByRole('alert').allTextContents()
      expect(shortage).toContain(`You have ${balanceOf(owner)} SOL. This takes about 50.2`)
      expect(shortage).toMatch(/about 50\.2\d SOL\.$/)
      expect(others).toEqual([])
      expect(await page.getByRole('button', { name: /Sign/ }).count()).toBe(0)
    },
    TEST_MS,
  )

  test(
    'a launch whose first transaction expired is created anew',
    async () => {
      const { page } = await openForm('Ebbline', 'EBB')
      const losing = await loseTransactions(page, site.rpcUrl())
      await review(page)
      await sign(page)
      await page.getByText('The transaction was not executed in time').waitFor()
      losing.stop()
      await page.getByRole('button', { name: 'Try again' }).click()
      await sign(page)
      await openLaunch(page, 'Ebbline')
      expect(await page.evaluate('localStorage.getItem("started-launches")')).toBeNull()
    },
    TEST_MS,
  )
})

/** Lets the first sends through, and then the answers to what they ask about, until the next send. */
function dieAfterSends(sendsMax: number) {
  let sends = 0
  return async (route: Route) => {
    if (route.request().postData()?.includes('sendTransaction')) sends += 1
    await (sends > sendsMax ? route.abort() : route.continue())
  }
}
