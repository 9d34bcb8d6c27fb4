import { registrationOf } from '@slipway/local-chain'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { demoLaunch, postJson } from '../../service/src/testing/demo-launches.ts'
import { isEndurance } from '../../service/src/testing/endurance.ts'
import { useDemoSite } from './demo-site.ts'
import { keyboardOf } from './keyboard.ts'
import { CHROMIUM, DESKTOP, eventually, findProblemsNow, findSmallControls, PHONE } from './site-browser.ts'

/** Someone who uses nothing but a keyboard, or nothing but fingers. */
interface Person {
  page: Page
  press(target: Locator): Promise<void>
  fill(field: Locator, text: string): Promise<void>
  /** Finds the form in this part of the page or, on a phone, in the sheet that this button opens. */
  openForm(region: string, button: string | RegExp): Promise<Locator>
  /** Opens the signing sheet, and signs what it shows. */
  sign(review: Locator): Promise<void>
  /** The same, until the sheet says that it is confirmed. Then it is closed. */
  finish(review: Locator, done: string | RegExp): Promise<void>
}

interface Action {
  /** What the page belongs to: a launch, an agent, or neither. */
  place: { launch: string } | { agent: string } | { path: string }
  /** The label of their account in the demo wallet, unless it is the visitor's. */
  account?: string
  act(person: Person): Promise<void>
}

const button = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: true })
const field = (place: Page | Locator, name: string) => place.getByRole('textbox', { name, exact: true })

const ACTIONS: Record<string, Action> = {
  'buys and sells on a curve': {
    place: { launch: 'patchbot' },
    async act({ openForm, press, fill, finish }) {
      const buy = await openForm('Buy and sell', 'Buy or sell')
      await fill(field(buy, 'You pay'), '0.5')
      await finish(button(buy, 'Review purchase'), /^You got [\d,]+ PATCH for 0\.5 SOL\.$/)
      const sell = await openForm('Buy and sell', 'Buy or sell')
      await press(button(sell, 'Sell'))
      await press(button(sell, '50%'))
      await finish(button(sell, 'Review sale'), /^You sold [\d,]+ PATCH for 0\.\d+ SOL\.$/)
    },
  },
  'deposits in a launch pool and withdraws': {
    place: { launch: 'paper-lighthouse' },
    async act({ openForm, press, fill, finish }) {
      const deposit = await openForm('Your deposit', 'Deposit')
      await fill(field(deposit, 'You deposit'), '2')
      await finish(button(deposit, 'Review deposit'), 'You deposited 2 SOL, 1.96 SOL after the fee.')
      const withdraw = await openForm('Your deposit', 'Deposit')
      await press(button(withdraw, 'Withdraw'))
      await fill(field(withdraw, 'You withdraw'), '1')
      await finish(button(withdraw, 'Review withdrawal'), /^You withdrew 1 SOL and got 0\.\d+ SOL\.$/)
    },
  },
  'deposits in a presale': {
    place: { launch: 'almanac' },
    async act({ openForm, fill, finish }) {
      const deposit = await openForm('Deposit', 'Deposit')
      await fill(field(deposit, 'You deposit'), '1')
      await finish(button(deposit, 'Review deposit'), /^You deposited (about )?1 SOL/)
    },
  },
  'gets a refund from a launch that missed its goal': {
    place: { launch: 'cloud-cellar' },
    async act({ openForm, finish }) {
      const refund = await openForm('Your refund', 'Get 3 SOL back')
      await finish(button(refund, 'Get 3 SOL back'), 'You got 3 SOL.')
    },
  },
  'graduates a launch that waits for it': {
    place: { launch: 'slack-water' },
    async act({ page, openForm, finish }) {
      const graduation = await openForm('Your tokens', 'Graduate')
      await finish(button(graduation, 'Graduate this launch'), 'The launch has graduated.')
      await button(page, /^Claim 21\.33M/).waitFor()
    },
  },
  'claims tokens after graduation': {
    place: { launch: 'tollgate' },
    async act({ openForm, finish }) {
      const claim = await openForm('Yours to claim', /^Claim 26\.67M/)
      await finish(button(claim, /^Claim 26\.67M/), 'You got 26,666,666 TOLL.')
    },
  },
  'buys in the pool of a launch that has graduated': {
    place: { launch: 'harbour-cat' },
    async act({ openForm, fill, finish }) {
      const buy = await openForm('Buy and sell', 'Buy or sell')
      await fill(field(buy, 'You pay'), '0.2')
      await finish(button(buy, 'Review purchase'), /^You got [\d,]+ CAT for 0\.2 SOL\.$/)
    },
  },
  'claims creator rewards': {
    place: { path: '/rewards' },
    account: 'Creator of Dovetail',
    async act({ page, finish }) {
      await finish(button(page, 'Claim all'), /^You got (about )?[\d.]+ SOL\.$/)
      await page.getByText('Nothing to claim right now.').waitFor()
    },
  },
  'funds an agent and withdraws from it': {
    place: { agent: 'tidewatch' },
    account: 'Owner of Tidewatch',
    async act({ openForm, press, fill, finish }) {
      const fund = await openForm('Wallet', 'Fund or withdraw')
      await fill(field(fund, 'Amount'), '0.2')
      await finish(button(fund, 'Review funding'), 'The agent has the funds.')
      const withdraw = await openForm('Wallet', 'Fund or withdraw')
      await press(button(withdraw, 'Withdraw'))
      await fill(field(withdraw, 'Amount'), '0.1')
      await finish(button(withdraw, 'Review withdrawal'), /^You got 0\.\d+ SOL\.$/)
    },
  },
  'creates an agent': {
    place: { path: '/agents/new' },
    async act({ page, press, fill, sign }) {
      await fill(field(page.getByRole('main'), 'Name'), 'Bell Buoy')
      await fill(field(page.getByRole('main'), 'What it does'), 'Rings when the sea is up.')
      await sign(button(page, 'Review the transaction'))
      await page.getByText('Bell Buoy is on the chain, and yours.').first().waitFor()
      await press(page.getByRole('link', { name: 'Open Bell Buoy' }))
      await page.getByRole('heading', { name: 'Bell Buoy', level: 1 }).waitFor()
    },
  },
  'creates a launch': {
    place: { path: '/launches/new' },
    async act({ page, fill, sign }) {
      await fill(field(page.getByRole('main'), 'Name'), 'Bell Buoy')
      await fill(field(page.getByRole('main'), 'Symbol'), 'BELL')
      await sign(button(page, 'Review the launch'))
      await page.getByRole('link', { name: 'Open your launch' }).waitFor()
    },
  },
}

const VARIANTS = (['light', 'dark'] as const).flatMap(
  theme =>
    [
      ['the keyboard alone', theme, DESKTOP],
      ['touch alone', theme, PHONE],
    ] as const,
)

describe.skipIf(!CHROMIUM || !isEndurance).each(VARIANTS)(
  'with %s, in the %s theme, someone',
  (_, colorScheme, size) => {
    const site = useDemoSite()
    const isPhone = size === PHONE

    beforeAll(async () => {
      for (const { place } of Object.values(ACTIONS)) {
        if (!('launch' in place)) continue
        const { agent: _, ...launch } = demoLaunch(site.world, place.launch)
        await postJson(`${site.service.url}/v1/launches/register`, registrationOf(launch, 'chain-mainnet'))
      }
    })

    const pathOf = (place: Action['place']) =>
      'launch' in place
        ? `/launches/${demoLaunch(site.world, place.launch).genesisAddress}`
        : 'agent' in place
          ? `/agents/${site.world.agent(place.agent).address}`
          : place.path

    test.each(Object.entries(ACTIONS))('%s', async (_, { place, account = 'Visitor', act }) => {
      const { page, complaints } = await site.open(pathOf(place), { ...size, colorScheme })
      const look = async () => {
        // Figures of an earlier amount are dimmed.
        await page.locator('[data-stale]').waitFor({ state: 'detached' })
        const small = isPhone ? await findSmallControls(page) : []
        expect([...complaints, ...(await findProblemsNow(page)), ...small]).toEqual([])
      }
      const hands = isPhone ? fingersOf() : keysOf(page)
      const { press } = hands
      const sign: Person['sign'] = async review => {
        await look()
        await press(review)
        for (const name of ['Sign with Demo wallet', 'Approve']) {
          await button(page, name).waitFor()
          await look()
          await press(button(page, name))
        }
      }
      await press(button(page.getByRole('banner'), 'Connect a wallet'))
      await button(page, 'Demo wallet').waitFor()
      await look()
      await press(button(page, 'Demo wallet'))
      await hands.fill(page.getByRole('searchbox', { name: 'Search accounts' }), account)
      await look()
      await press(page.getByRole('button', { name: new RegExp(`^${account}.*Mainnet`) }))
      await act({
        ...{ page, sign, ...hands },
        async openForm(region, name) {
          if (!isPhone) return page.getByRole('region', { name: region, exact: true })
          await look()
          await press(button(page, name))
          return page.getByRole('dialog')
        },
        async finish(review, done) {
          await sign(review)
          await page.getByRole('dialog').last().getByText(done).first().waitFor()
          await look()
          await press(button(page, 'Done'))
        },
      })
      await look()
      if (!isPhone) await hasFocus(page)
    })
  },
)

const fingersOf = () => ({
  press: (target: Locator) => target.tap(),
  async fill(field: Locator, text: string) {
    await field.tap()
    await field.fill(text)
  },
})

/** Without the focus, people would begin again at the top of the page. */
const hasFocus = (page: Page) =>
  eventually(() => page.evaluate('document.activeElement === document.body')).toBe(false)

function keysOf(page: Page) {
  const { tabTo, press, type } = keyboardOf(page)
  return {
    async press(target: Locator) {
      await tabTo(target)
      await press('Enter')
      await hasFocus(page)
    },
    async fill(field: Locator, text: string) {
      await tabTo(field)
      await press('ControlOrMeta+a')
      await type(text)
    },
  }
}
