import { describe, expect, test } from 'vitest'
import { connectAs, useDemoSite } from './demo-site.ts'
import { CHROMIUM, eventually, TEST_MS, visit } from './site-browser.ts'

/** Makes rendering fail where something is written as indented JSON, as the form for a card does. */
const BREAK_CARD_FORM = `{
  const { stringify } = JSON
  JSON.stringify = (value, replacer, space) => {
    if (space === 2) throw new Error('sabotaged')
    return stringify(value, replacer, space)
  }
}`
/** Makes rendering fail wherever a number is written, as on the page of all agents. */
const BREAK_NUMBERS = `globalThis.numbers = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format')
Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
  configurable: true,
  get: () => () => { throw new Error('sabotaged') },
})`
const MEND_NUMBERS = `Object.defineProperty(Intl.NumberFormat.prototype, 'format', numbers)`

describe.skipIf(!CHROMIUM)('what is typed in a browser', () => {
  const site = useDemoSite()

  test(
    'is discarded only after asking, survives a reload and going back, and a tab that disconnects disconnects the others',
    async () => {
      const agent = site.world.agent('tidewatch')
      const { page } = await site.open('/rewards')
      const address = page.getByRole('textbox', { name: 'Wallet address' })
      await address.fill('half an address')
      await connectAs(page, `Owner of ${agent.entry.name}`)
      await page.getByRole('link', { name: 'Your rewards' }).waitFor()
      expect(await address.inputValue()).toBe('half an address')
      await page.getByRole('navigation').getByRole('link', { name: 'Agents' }).click()
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
      await page.evaluate(`history.pushState(null, '', '/agents/${agent.address}')`)
      await page.getByRole('button', { name: 'Change its card' }).click()
      const card = page.getByRole('textbox', { name: 'Card' })
      const before = await card.inputValue()
      // The service has built this card, so there is none to remove.
      expect(await page.getByRole('button', { name: 'Remove the card' }).count()).toBe(0)
      const typed = before.replace('{', '{ ')
      await card.fill(typed)
      const question = page.getByRole('heading', { name: 'Discard your changes?' })
      for (let times = 0; times < 3; times += 1) {
        await page.keyboard.press('Escape')
        await question.waitFor()
        await page.keyboard.press('Escape')
        await question.waitFor({ state: 'detached' })
      }
      await page.mouse.click(5, 5)
      expect(await question.count()).toBe(0)
      expect(await card.inputValue()).toBe(typed)

      await page.reload()
      await page.getByText('You have not signed your changes to its card.').waitFor()
      await page.getByRole('button', { name: 'Continue' }).click()
      await eventually(() => card.inputValue()).toBe(typed)
      await page.goBack()
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
      await page.goForward()
      await page.getByRole('button', { name: 'Continue' }).click()
      await eventually(() => card.inputValue()).toBe(typed)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('button', { name: 'Change its card' }).click()
      expect(await card.inputValue()).toBe(before)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      // A field of the page itself.
      await page.getByRole('textbox', { name: 'Amount' }).fill('0.25')
      await page.reload()
      await eventually(() => page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('0.25')

      // A dialog that fails leaves the page as it is, and a page that fails leaves the way to the others.
      await page.evaluate(BREAK_CARD_FORM)
      await page.getByRole('button', { name: 'Change its card' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change its card' })
      await dialog.getByRole('heading', { name: 'This part failed' }).waitFor()
      await dialog.getByText('sabotaged').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('0.25')

      const sections = page.getByRole('navigation', { name: 'Sections' })
      await page.evaluate(BREAK_NUMBERS)
      await sections.getByRole('link', { name: 'Agents' }).click()
      const failure = page.getByRole('heading', { name: 'This page failed', level: 1 })
      await failure.waitFor()
      await sections.getByRole('link', { name: 'Rewards' }).click()
      await page.getByRole('heading', { name: 'Rewards', level: 1 }).waitFor()
      await sections.getByRole('link', { name: 'Agents' }).click()
      await failure.waitFor()
      await page.evaluate(MEND_NUMBERS)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()

      const second = await page.context().newPage()
      await visit(second, page.url())
      await second.getByRole('button', { name: /^Wallet: Owner of/ }).click()
      await second.getByRole('button', { name: 'Disconnect' }).click()
      await page.getByRole('banner').getByRole('button', { name: 'Connect a wallet' }).waitFor()
    },
    TEST_MS,
  )
})
