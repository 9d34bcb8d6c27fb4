import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { registrationOf } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { sql } from 'drizzle-orm'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { land } from '../../service/src/agents/test-mints.ts'
import { tokenWriter } from '../../service/src/agents/wallet/test-tokens.ts'
import { saveActivity, saveActivitySources } from '../../service/src/store/activity.ts'
import { saveCompleteScan, saveSearched } from '../../service/src/store/chain-progress.ts'
import { saveTrades } from '../../service/src/store/trades.ts'
import { demoLaunch, postJson } from '../../service/src/testing/demo-launches.ts'
import { rawRequest } from '../../service/src/testing/raw-request.ts'
import { tradeOf } from '../../service/src/testing/trades.ts'
import { chooseAccount, connectAs, sign, useDemoSite } from './demo-site.ts'
import { keyboardOf } from './keyboard.ts'
import { CHROMIUM, DESKTOP, eventually, findProblems, PHONE, TEST_MS, visit } from './site-browser.ts'

const LAUNCHES = ['patchbot', 'harbour-cat', 'paper-lighthouse', 'tollgate', 'cloud-cellar', 'slack-water']
const SOL = 1_000_000_000n
/** What is too small for a finger, or would make a phone zoom in when someone types, in the open sheets. */
const SMALL_TARGETS = `[...document.querySelectorAll('dialog :is(button, input, summary)')]
  .filter(one => one.checkVisibility() && (one.getBoundingClientRect().height < 44 ||
    one.matches('input') && parseFloat(getComputedStyle(one).fontSize) < 16))
  .map(one => one.outerHTML)`
/** Without what a page asks for every few seconds. */
const NO_POLLING = `const start = setInterval
globalThis.setInterval = (work, ms, ...rest) => (ms >= 10_000 ? 0 : start(work, ms, ...rest))`

describe.skipIf(!CHROMIUM)('taking part in a launch in a browser', () => {
  const site = useDemoSite()
  const launchOf = (slug: string) => demoLaunch(site.world, slug)
  const pathOf = (slug: string) => `/launches/${launchOf(slug).genesisAddress}`
  const visitor = () => site.world.chainOf().world.visitor.address as string as Address
  const heldOf = (slug: string) =>
    tokenWriter(site.world.chainOf().local).tokens(visitor(), launchOf(slug).mint as string as Address)

  beforeAll(async () => {
    for (const slug of LAUNCHES) {
      const { agent: _, ...launch } = launchOf(slug)
      await postJson(`${site.service.url}/v1/launches/register`, registrationOf(launch, 'chain-mainnet'))
    }
    const { database } = site.service
    const address = launchOf('patchbot').genesisAddress as string as Address
    await saveTrades(database, 'chain-mainnet', address, [
      tradeOf('own', { wallet: visitor() }),
      tradeOf('agent', { kind: 'sell', agent: site.world.agent('tidewatch').address as string as Address }),
    ])
    // Wallets are shown once the chain has been indexed, and agents that the index lacks if it is behind.
    const slot = site.world.chainOf().local.chain.slotAt('confirmed')
    await saveCompleteScan(database, 'chain-mainnet', { slot, at: new Date(Date.now() - 15_000) })
    await saveSearched(database, 'chain-mainnet', 'hasDeposits')
  })

  const openSheet = async (page: Page, button: string) => {
    await page.getByRole('button', { name: button }).click()
    await page.getByText('Passed a simulation').waitFor()
  }
  /** The sentence that the sheet shows at the end names what has arrived. */
  const saySaid = (units: bigint) => Math.floor(Number(units) / 1e6).toLocaleString('en')
  const finish = async (page: Page, done: string | RegExp) => {
    await sign(page)
    // The form below the sheet, which a phone hides, says it too.
    await page.getByText(done).locator('visible=true').first().waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
  }

  test(
    'a curve on which nothing has moved yet shows its terms first, then its price against what is sold',
    async () => {
      const { agent: _, ...launch } = launchOf('kettle')
      await postJson(`${site.service.url}/v1/launches/register`, registrationOf(launch, 'chain-mainnet'))
      await site.service.database.transact('test', async db => {
        const { rows } = await db.execute<{ id: string }>(
          sql`SELECT id FROM launches WHERE genesis_address = ${launch.genesisAddress}`,
        )
        const launchId = rows[0]?.id as string
        const units = {
          quoteMint: WRAPPED_NATIVE_MINT,
          quoteDecimals: 9,
          baseDecimals: 6,
          goal: null,
          pool: null,
        }
        await saveActivitySources(db, [{ launchId, ...units }])
        const unknown = {
          priceQuote: null,
          priceBase: null,
          progress: null,
          participants: null,
          creatorFees: null,
        }
        const figures = { raised: '0', sold: '0', supply: `${800n * 10n ** 12n}`, ...unknown }
        await saveActivity(db, [{ launchId, slot: 1, time: new Date(), ...figures }])
      })
      const opened = await site.open(pathOf('kettle'), DESKTOP)
      const chart = opened.page.getByRole('region', { name: 'Price along the curve' })
      await chart
        .getByRole('img', { name: /rises from 0\.0\d+ to 0\.0\d+ .* Now it is 0\.0\d+, with 0% sold/ })
        .waitFor()
      await chart.getByText('for the first token').waitFor()
      expect(await chart.getByRole('button').count()).toBe(0)
      const terms = opened.page.getByRole('region', { name: 'Where the tokens and the money go' })
      await terms.getByText('Only the launch’s own account can create more tokens or freeze them.').waitFor()
      await terms.getByText('The launch doesn’t name anyone who can withdraw the liquidity.').waitFor()
      const main = (await opened.page.locator('main').innerText()).split('Where the tokens and the money go')
      expect(main).toHaveLength(2)
      expect(main[0]).not.toMatch(/Price|0\.0[₀-₉]/)
      expect(await findProblems(opened)).toEqual([])
    },
    TEST_MS,
  )

  test(
    'a visitor buys and sells on a curve, and keeps what they typed when the price moves away',
    async () => {
      const opened = await site.open(pathOf('patchbot'), DESKTOP)
      const { page, complaints } = opened
      const box = page.getByRole('region', { name: 'Buy and sell' })
      await box.getByRole('button', { name: 'Connect a wallet' }).waitFor()
      const terms = page.getByRole('region', { name: 'Where the tokens and the money go' })
      await terms.getByText('sold on the bonding curve').waitFor()
      const trades = page.getByRole('region', { name: 'Trades' })
      const agent = site.world.agent('tidewatch')
      await trades.getByRole('row', { name: /Sold/ }).getByRole('link', { name: agent.entry.name }).waitFor()
      expect(await trades.getByText('you', { exact: true }).count()).toBe(0)
      await connectAs(page, 'Visitor', 'Devnet')
      await box.getByText('The connected account is for Devnet. This launch is on Mainnet.').waitFor()
      await box.getByRole('button', { name: 'Choose a Mainnet account' }).click()
      await chooseAccount(page, 'Visitor')
      await trades.getByRole('row', { name: /Bought.*you/ }).waitFor()
      const holders = page.getByRole('region', { name: 'Holders' })
      await holders.getByRole('listitem').filter({ hasText: 'Curve' }).waitFor()
      await box.getByText('You have 100 SOL').waitFor()
      await box.getByRole('button', { name: '0.5', exact: true }).click()
      await box.getByText('You get about').waitFor()
      // Figures of an earlier amount are dimmed.
      await box.locator('[data-stale]').waitFor({ state: 'detached' })
      // The button stays in view, though the page is longer than a small screen.
      await page.setViewportSize({ width: 1280, height: 800 })
      const review = box.getByRole('button', { name: 'Review purchase' })
      await page.evaluate('scrollTo(0, 0)')
      expect(await review.evaluate(button => button.getBoundingClientRect().bottom)).toBeLessThanOrEqual(800)
      expect(await findProblems(opened)).toEqual([])
      await page.setViewportSize(DESKTOP.viewport)
      await openSheet(page, 'Review purchase')
      const sheet = page.getByRole('dialog', { name: 'Buy Patchbot' })
      const paid = sheet.getByText('You pay', { exact: true }).locator('xpath=following-sibling::*')
      expect(await paid.textContent()).toBe('0.5 SOL')
      await sheet.getByText('Network fee', { exact: true }).waitFor()
      await sheet.getByText('Rent, returned when you close the account', { exact: true }).waitFor()
      const plumbing = sheet.getByText('Open a temporary wrapped SOL account and close it afterwards')
      expect(await plumbing.isVisible()).toBe(false)
      await sheet.getByText('Details', { exact: true }).click()
      await plumbing.waitFor()
      await sign(page)
      await sheet.getByText(/^You got [\d,]+ PATCH for 0\.5 SOL\.$/).waitFor()
      const bought = heldOf('patchbot') ?? 0n
      expect(bought).toBeGreaterThan(0n)
      await sheet.getByText(`You got ${saySaid(bought)} PATCH for 0.5 SOL.`).waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await box.getByText(`You got ${saySaid(bought)} PATCH for 0.5 SOL.`).waitFor()
      await box.getByText('just now').waitFor()
      expect(await box.getByRole('textbox', { name: 'You pay' }).inputValue()).toBe('')
      const second = await page.context().newPage()
      await second.addInitScript(NO_POLLING)
      await visit(second, page.url())
      await second.getByText(/You have 99\.4\d* SOL/).waitFor()
      site.world.chainOf().local.airdrop(visitor(), 7n * SOL)
      await second.evaluate('dispatchEvent(new Event("focus"))')
      await second.getByText(/You have 106\.4\d* SOL/).waitFor()
      await second.close()

      const { local } = site.world.chainOf()
      const other = createKeypair()
      local.airdrop(other.address, 50n * SOL)
      await box.getByRole('textbox', { name: 'You pay' }).fill('1')
      await openSheet(page, 'Review purchase')
      const swap = `${site.service.url}/v1${pathOf('patchbot')}/swap`
      const { body } = await postJson(swap, { wallet: other.address, side: 'buy', amount: `${8n * SOL}` })
      expect(await land(local, body, other)).toBeNull()
      await sign(page)
      await page.getByText('The price has moved beyond your limit.').waitFor()
      await page.getByRole('button', { name: 'Try again' }).click()
      // The limit is the one that was shown, so the service refuses it too.
      await box.getByText('The figures below are the new ones.').waitFor()
      expect(await box.getByRole('textbox', { name: 'You pay' }).inputValue()).toBe('1')
      const least = box.getByText('At least', { exact: true }).locator('xpath=following-sibling::*')
      const shown = (await least.locator('[title]').getAttribute('title'))?.split('.')[0]
      await openSheet(page, 'Review purchase')
      await page.getByText(`At least ${shown} PATCH, or nothing is traded`).waitFor()
      await finish(page, /^You got [\d,]+ PATCH for 1 SOL\.$/)
      const held = heldOf('patchbot') ?? 0n
      expect(held).toBeGreaterThan(bought)
      // Half is half of what the page knows.
      await box.getByText('just now').waitFor()

      await box.getByRole('button', { name: 'Sell', exact: true }).click()
      await box.getByRole('button', { name: '50%' }).click()
      await openSheet(page, 'Review sale')
      const signs = page.getByRole('button', { name: 'Sign with Demo wallet' })
      await signs.evaluate(button => button.setAttribute('data-before', 'yes'))
      await page.setViewportSize(PHONE.viewport)
      await box.waitFor({ state: 'hidden' })
      await page.setViewportSize(DESKTOP.viewport)
      await box.getByRole('textbox', { name: 'You pay' }).waitFor()
      expect(await signs.getAttribute('data-before')).toBe('yes')
      await finish(page, /^You sold [\d,]+ PATCH for 0\.\d+ SOL\.$/)
      expect(heldOf('patchbot')).toBe(held - held / 2n)

      // The wallet could pay more than the curve has left.
      await box.getByRole('button', { name: 'Buy', exact: true }).click()
      await box.getByRole('button', { name: 'Max', exact: true }).click()
      const most = box.getByRole('textbox', { name: 'You pay' })
      await eventually(() => most.inputValue()).not.toBe('')
      const left = await most.inputValue()
      expect(Number(left)).toBeLessThan(80)
      expect(await box.getByText('Only this much is left.').count()).toBe(0)
      await openSheet(page, 'Review purchase')
      expect(await paid.textContent()).toBe(`${left} SOL`)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await most.fill('')

      await page.getByRole('banner').getByRole('button', { name: 'Wallet: Visitor' }).click()
      await page.getByRole('link', { name: 'My wallet' }).click()
      await page.getByRole('heading', { name: 'My wallet', level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/wallets/${visitor()}`)
      const total = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Balance' }) })
      await total.getByText(/^[\d.,]+ SOL$/).waitFor()
      const positions = page.getByRole('region', { name: 'Positions' })
      const position = positions.getByRole('listitem').filter({ hasText: 'Patchbot' })
      await position.getByText(/^[\d.,]+M? PATCH$/).waitFor()
      expect(await findProblems(opened)).toEqual([])
      // Without script, it says the same.
      const { text } = await rawRequest(site.service.url, `/wallets/${visitor()}`, {
        headers: { accept: 'text/html' },
      })
      expect(text.replaceAll(/<!-- -->|<[^>]*>/g, '')).toMatch(/Patchbot.*[\d.,]+M? PATCH/)
      expect(await position.getByRole('link', { name: 'Patchbot' }).getAttribute('href')).toBe(
        pathOf('patchbot'),
      )
      await position.getByRole('link', { name: 'Patchbot' }).click()
      await page.getByRole('heading', { name: 'Patchbot', level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe(pathOf('patchbot'))
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )

  test(
    'a visitor is asked to look again if the service halves what a trade gives',
    async () => {
      const { page, complaints } = await site.open(pathOf('patchbot'), DESKTOP)
      await connectAs(page, 'Visitor')
      let divisor = 2n
      await page.route('**/quote?*', async route => {
        const response = await route.fetch()
        const { data } = await response.json()
        const [amountOut, minAmountOut] = [data.amountOut, data.minAmountOut].map(
          amount => `${BigInt(amount) / divisor}`,
        )
        await route.fulfill({ response, json: { data: { ...data, amountOut, minAmountOut } } })
      })
      const box = page.getByRole('region', { name: 'Buy and sell' })
      const pays = box.getByRole('textbox', { name: 'You pay' })
      await pays.fill('0.3')
      await box.getByText('At least', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Review purchase' }).click()
      await box.getByText('The price has changed. Check it and try again.').waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(await pays.inputValue()).toBe('0.3')
      divisor = 1n
      await pays.fill('0.2')
      await openSheet(page, 'Review purchase')
      await page.getByText('Pay 0.2 SOL for at least').waitFor({ state: 'attached' })
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )

  test(
    'on a phone, a visitor deposits, withdraws half, gets a refund, and graduates a launch that waits for it',
    async () => {
      const opened = await site.open(pathOf('paper-lighthouse'), PHONE)
      const { page, complaints } = opened
      await connectAs(page, 'Visitor')
      const deposits = page.getByRole('button', { name: 'Deposit', exact: true })
      await deposits.click()
      const sheet = page.getByRole('dialog', { name: 'Your deposit' })
      await sheet.getByText('A deposit costs 2%.').waitFor()
      await sheet.getByRole('textbox', { name: 'You deposit' }).fill('2')
      const shareIn = (place: Locator) =>
        place
          .getByText('Your share, if it ended now', { exact: true })
          .locator('xpath=following-sibling::*')
          .first()
          .textContent()
      const share = await shareIn(sheet)
      expect(share).toMatch(/ [A-Z]+$/)
      await sheet.getByText('You can withdraw until the launch closes. A withdrawal costs 2%.').waitFor()
      expect(await findProblems(opened)).toEqual([])
      expect(await page.evaluate(SMALL_TARGETS)).toEqual([])
      await openSheet(page, 'Review deposit')
      expect(await page.evaluate(SMALL_TARGETS)).toEqual([])
      await page.getByText('Fee 2%, included').last().waitFor()
      expect(await shareIn(page.getByRole('dialog', { name: 'Deposit in Paper Lighthouse' }))).toContain(
        share,
      )
      const reread = page.waitForRequest(request => /\/positions\/.*minSlot=[1-9]/.test(request.url()))
      await finish(page, 'You deposited 2 SOL, 1.96 SOL after the fee.')
      await reread
      // The page is what they see then.
      await sheet.waitFor({ state: 'detached' })
      await page.getByText(/^Your deposit 1\.96 SOL$/).waitFor()
      expect(await deposits.evaluate(button => button.matches(':focus'))).toBe(true)
      await deposits.click()
      await sheet.getByText('+1.96 just now').waitFor()
      await sheet.getByRole('button', { name: 'Withdraw', exact: true }).click()
      expect(await sheet.getByText('You deposited 2 SOL').count()).toBe(0)
      await sheet.getByRole('button', { name: '50%' }).click()
      await sheet.getByText('You get', { exact: true }).waitFor()
      await openSheet(page, 'Review withdrawal')
      await page.getByText('The simulation shows the same amount.').waitFor()
      await finish(page, /^You withdrew 0\.\d+ SOL and got 0\.\d+ SOL\.$/)
      await page.getByText(/^Your deposit 0\.98 SOL$/).waitFor()

      // A link can lead right into the sheet.
      await visit(page, `${site.service.url}${pathOf('cloud-cellar')}#take-part`)
      const refunds = page.getByRole('dialog', { name: 'Refunds', exact: true })
      await refunds.getByRole('button', { name: 'Get 3 SOL back' }).click()
      await page.getByText('Passed a simulation').waitFor()
      await page.getByText('The simulation shows the same amount.').waitFor()
      expect(await findProblems(opened)).toEqual([])
      await finish(page, 'You got 3 SOL.')
      await refunds.waitFor({ state: 'detached' })
      await page.getByText('You got 3 SOL.').waitFor()

      await visit(page, `${site.service.url}${pathOf('slack-water')}`)
      await page.getByText('Waiting to graduate').waitFor()
      await page.getByRole('button', { name: 'Graduate', exact: true }).click()
      await page.getByText(/^Its liquidity pool has not been created yet\./).waitFor()
      await page.getByRole('button', { name: 'Graduate this launch' }).click()
      await page.getByText('Create the launch’s liquidity pool').waitFor()
      await page.getByText(/You aren’t paid for it/).waitFor()
      expect(await findProblems(opened)).toEqual([])
      await finish(page, 'The launch has graduated.')
      await page.getByRole('button', { name: /^Claim 21\.33M/ }).waitFor()
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )

  // After the visitor's first deposit in this launch, which the test above makes.
  test(
    'rent that changes before and after a deposit was built raises no alarm, and takes nothing more',
    async () => {
      const { chain } = site.world.chainOf().local
      const { hold, tokens } = tokenWriter(site.world.chainOf().local)
      const { rentPerByte } = chain.conditions
      // The account is emptied and opened again, so the page has to know its rent.
      hold(visitor(), WRAPPED_NATIVE_MINT, SOL)
      const { page } = await site.open(pathOf('paper-lighthouse'), DESKTOP)
      let isFirst = true
      await page.route('**/deposit', async route => {
        const response = await route.fetch()
        if (isFirst) chain.setRentPerByte((rentPerByte * 4n) / 5n)
        isFirst = false
        await route.fulfill({ response })
      })
      await connectAs(page, 'Visitor')
      const box = page.getByRole('region', { name: 'Your deposit' })
      await box.getByRole('textbox', { name: 'You deposit' }).fill('1')
      await openSheet(page, 'Review deposit')
      expect(isFirst).toBe(false)
      const sheet = page.getByRole('dialog', { name: 'Deposit in Paper Lighthouse' })
      const paid = sheet.getByText('You deposit', { exact: true }).locator('xpath=following-sibling::*')
      expect(await paid.first().textContent()).toBe('1 SOL')
      await sheet.getByText(/^150 blocks \(about \d+ s now\)$/).waitFor()
      chain.setRentPerByte(rentPerByte / 2n)
      const before = chain.account(visitor())?.lamports ?? 0n
      await finish(page, /^You deposited 1 SOL/)
      const after = chain.account(visitor())?.lamports ?? 0n
      // The wrapped account has what it had, and what it needs less rent for.
      expect(tokens(visitor(), WRAPPED_NATIVE_MINT)).toBeGreaterThanOrEqual(SOL)
      expect(before - after).toBeLessThan(SOL + SOL / 100n)
      chain.setRentPerByte(rentPerByte)
      chain.writeAccounts(
        new Map([[associatedTokenAddress(WRAPPED_NATIVE_MINT, visitor(), TOKEN_PROGRAM), undefined]]),
      )
    },
    TEST_MS,
  )

  test(
    'with the keyboard alone, a visitor claims tokens and buys in the pool',
    async () => {
      const opened = await site.open(pathOf('tollgate'), DESKTOP)
      const { page, complaints } = opened
      await connectAs(page, 'Visitor')
      const { tabTo, press, type } = keyboardOf(page)
      const signByKey = async (done: string) => {
        await tabTo(page.getByRole('button', { name: 'Sign with Demo wallet' }))
        await press('Enter')
        await tabTo(page.getByRole('button', { name: 'Approve' }))
        await press('Enter')
        await page.getByText(done).first().waitFor()
        await tabTo(page.getByRole('button', { name: 'Done' }))
        await press('Enter')
      }
      const claims = page.getByRole('button', { name: /^Claim 26\.67M/ })
      await claims.waitFor()
      await tabTo(page.getByRole('link', { name: 'Skip to buy and sell' }))
      await press('Enter')
      await press('Tab')
      expect(await claims.evaluate(button => button.matches(':focus'))).toBe(true)
      await press('Enter')
      await page.getByText('Sign with Demo wallet').waitFor()
      await page.getByText('The simulation shows the same amount.').waitFor()
      expect(await findProblems(opened)).toEqual([])
      await page.setViewportSize(DESKTOP.viewport)
      await signByKey('You got 26,666,666 TOLL.')
      const claimed = heldOf('tollgate') ?? 0n
      expect(claimed).toBe(26_666_666_666_666n)
      await tabTo(page.getByRole('textbox', { name: 'You pay' }))
      await type('0.2')
      await press('Enter')
      await page.getByRole('dialog').getByText('You get about').waitFor()
      await signByKey('TOLL for 0.2 SOL.')
      expect(heldOf('tollgate')).toBeGreaterThan(claimed)
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )
})
