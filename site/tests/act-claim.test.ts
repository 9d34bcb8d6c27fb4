import { formatAmount } from '@slipway/client'
import { registrationOf } from '@slipway/local-chain'
import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { postJson } from '../../service/src/testing/demo-launches.ts'
import { connectAs, FAR_BLOCK, sign, useDemoSite } from './demo-site.ts'
import { CHROMIUM, DESKTOP, eventually, findProblems, PHONE, TEST_MS, visit } from './site-browser.ts'

describe.skipIf(!CHROMIUM)('claiming, and changing what an owner signs for, in a browser', () => {
  const site = useDemoSite()

  /** A wallet of the demo with so many buckets. */
  const walletWith = (buckets: number): string =>
    `${site.world.chainOf().world.rewards.find(one => one.buckets.length === buckets)?.wallet.address}`
  async function claimableOf(wallet: string): Promise<string> {
    const response = await fetch(`${site.service.url}/v1/creator-rewards/${wallet}`)
    const { data } = (await response.json()) as { data: { totals: { claimable: string }[] } }
    return `${data.totals[0]?.claimable}`
  }

  test(
    'if the service reports too much, a creator is warned and sees what the simulation shows',
    async () => {
      const { page, complaints } = await site.open('/rewards', DESKTOP)
      await page.route('**/v1/creator-rewards/*', async route => {
        if (route.request().method() !== 'GET') return route.continue()
        const response = await route.fetch()
        const { data } = await response.json()
        const buckets = data.buckets.map((bucket: { claimable: string }) => ({
          ...bucket,
          claimable: `${2n * BigInt(bucket.claimable)}`,
        }))
        return route.fulfill({ response, json: { data: { ...data, buckets } } })
      })
      await connectAs(page, 'Creator of Dovetail')
      await page.getByRole('button', { name: 'Claim all' }).click()
      const sheet = page.getByRole('dialog')
      const amount = formatAmount(await claimableOf(walletWith(1)), 9)
      const warning = sheet.getByRole('alert').getByText(/^The simulation shows that .* The service reports /)
      expect(await warning.innerText()).toMatch(`shows that ${amount} SOL would arrive.`)
      await sheet.getByRole('definition').getByText(`${amount} SOL`, { exact: true }).first().waitFor()
      await sheet
        .getByText(/^Pay all creator fees of .* to your wallet, in SOL$/)
        .first()
        .waitFor()
      await sheet.getByRole('button', { name: 'Sign anyway with Demo wallet' }).click()
      await page
        .getByRole('alert')
        .getByText(/^The service reports [\d.]+ SOL\.$/)
        .last()
        .waitFor()
      await page.getByRole('button', { name: 'Reject' }).click()
      await page.getByText('You declined to sign. Nothing was sent.').waitFor()
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )

  test(
    'a creator finds their rewards, refuses once, and claims all of them, on a phone',
    async () => {
      const { page, complaints } = await site.open('/rewards', PHONE)
      await connectAs(page, 'Creator of Dovetail')
      await page.getByRole('button', { name: 'Claim all' }).click()
      await page.getByText('Passed a simulation').waitFor()
      await page.getByRole('button', { name: 'Sign with Demo wallet' }).click()
      await page.getByRole('button', { name: 'Reject' }).click()
      await page.getByText('You declined to sign. Nothing was sent.').waitFor()
      await page.getByRole('button', { name: 'Try again' }).click()
      await sign(page)
      await page.getByText(/^You got (about )?[\d.]+ SOL\.$/).waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByText('Nothing to claim right now.').waitFor()
      await page.locator('[data-state=confirmed]').getByText('Claimed').waitFor()
      expect(await claimableOf(walletWith(1))).toBe('0')
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )

  test(
    'a visitor claims for another wallet: after the RPC dies between two transactions, the rest is claimed',
    async () => {
      const wallet = walletWith(5)
      const opened = await site.open(`/rewards/${wallet}`)
      const { page } = opened
      await connectAs(page, 'Visitor')
      await page.getByText('These rewards belong to another wallet.').waitFor()
      await page.getByRole('button', { name: 'Claim for this wallet' }).click()
      await page.getByRole('button', { name: 'Sign with Demo wallet' }).waitFor()
      expect(await findProblems(opened)).toEqual([])
      // Its own simulation confirms what each launch pays, so the steps are in the details.
      const launches = page.getByRole('dialog').getByRole('listitem')
      expect(await launches.allInnerTexts()).toEqual(
        Array.from({ length: await launches.count() }, () => expect.stringMatching(/\s[\d.]+ wrapped SOL$/)),
      )
      let sent = 0
      let isDead = true
      await page.route(`${site.rpcUrl()}/**`, route => {
        const isSend = methodOf(route) === 'sendTransaction'
        if (isSend) sent += 1
        // When it is back, whatever has not arrived has expired.
        if (!isDead && methodOf(route) === 'getBlockHeight')
          return route.fulfill({ json: { jsonrpc: '2.0', id: 1, result: FAR_BLOCK } })
        return (isSend ? sent === 1 : !isDead) ? route.continue() : route.abort()
      })
      await sign(page)
      await page.getByText('The chain is not answering. We keep trying to send').waitFor()
      // No more than what a node has accepted is called sent.
      const sheet = page.getByRole('dialog')
      await eventually(() => sheet.getByText('Sent, not confirmed yet').count()).toBe(1)
      expect(await sheet.getByText('Signed. Sending it…').count()).toBe(4)
      isDead = false
      await page.getByText('1 of 5 are confirmed. The rest was not executed in time').waitFor()
      await page.unrouteAll()
      expect(await page.getByText('Expired, not claimed').count()).toBe(4)
      await page.getByRole('dialog').getByRole('button', { name: 'Claim the rest' }).click()
      // It is in the details, which are closed.
      const last = page.getByRole('heading', { name: 'Transaction 4', includeHidden: true })
      await last.waitFor({ state: 'attached' })
      await sign(page)
      await page.getByText(/^The rewards are in the wallet .*, as wrapped SOL, which is SOL held/).waitFor()
      expect(await claimableOf(wallet)).toBe('0')
    },
    TEST_MS,
  )

  test(
    'a second tab leaves a claim to the first, and both learn its outcome after a reload in the middle',
    async () => {
      const wallet = walletWith(2)
      const opened = await site.open(`/rewards/${wallet}`)
      const { page } = opened
      await connectAs(page, 'Creator of Harbour Cat')
      await page.getByRole('button', { name: 'Claim all' }).click()
      const second = await page.context().newPage()
      await visit(second, page.url())
      await second.getByRole('button', { name: 'Claim all' }).click()
      await second.getByRole('button', { name: 'Sign with Demo wallet' }).waitFor()

      await page.route(`${site.rpcUrl()}/**`, route =>
        methodOf(route) === 'getSignatureStatuses' ? route.abort() : route.continue(),
      )
      await sign(page)
      await page.getByText('The chain is not answering. We keep trying.').waitFor()
      await second.getByRole('button', { name: 'Sign with Demo wallet' }).click()
      await second.getByRole('heading', { name: 'Another tab is doing this' }).waitFor()
      await second.getByRole('button', { name: 'Close' }).last().click()
      await second.getByText('A claim is on its way').waitFor()
      expect(await second.getByText('Sent', { exact: true }).count()).toBe(2)

      await page.reload()
      await page.unrouteAll()
      for (const tab of [second, page]) {
        const notice = tab.getByRole('status').filter({ hasText: 'Claim rewards' })
        await notice.getByText('All 2 transactions are confirmed.').waitFor()
        await tab.getByText('Nothing to claim right now.').waitFor()
      }
      expect(await findProblems(opened)).toEqual([])
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await second.getByRole('button', { name: 'Dismiss' }).waitFor({ state: 'detached' })
      expect(await claimableOf(wallet)).toBe('0')
    },
    TEST_MS,
  )

  test(
    'a creator verifies an account and corrects the links of a launch on a phone, after a signature that was refused',
    async () => {
      const launch = site.world.chainOf().world.launches.find(({ entry }) => entry.name === 'Lantern Grid')
      const body = registrationOf(launch as NonNullable<typeof launch>, 'chain-mainnet')
      await postJson(`${site.service.url}/v1/launches/register`, body)
      const opened = await site.open(`/launches/${body.genesisAccount}`, PHONE)
      const { page } = opened
      await connectAs(page, 'Visitor')
      await page.getByRole('button', { name: 'Correct its links' }).click()
      await page.getByText('Only the wallet that controls this launch').waitFor()
      await page.getByRole('button', { name: 'Act as this wallet' }).click()
      await page.getByRole('textbox', { name: 'Website' }).fill('tide.example')
      await page.getByText('Enter an address that starts with https://').waitFor()
      await page.getByRole('textbox', { name: 'Website' }).fill('https://tide.example')
      await page.getByLabel('X access token').fill('somebody else’s')
      await page.getByRole('button', { name: 'Verify', exact: true }).click()
      await page.getByText('Could not verify social account.').waitFor()
      expect(await findProblems(opened)).toEqual([])
      await page.getByRole('button', { name: 'Use the demo token' }).click()
      await page.getByRole('button', { name: 'Verify', exact: true }).click()
      await page.getByText(/^Verified as @harbourmaster until \d\d:\d\d$/).waitFor()
      expect(await page.getByRole('textbox', { name: 'X', exact: true }).inputValue()).toBe('@harbourmaster')

      await page.getByRole('textbox', { name: 'Discord' }).fill(`https://discord.gg/${'x'.repeat(3_000)}`)
      await page.getByText('Use at most 2048 characters.').waitFor()
      await page.getByRole('textbox', { name: 'Discord' }).fill('')
      // The page checks what the service checks, so its refusal is made up here.
      const details = [{ path: 'externalLinks.website', message: 'must be an http(s) URL' }]
      let sent = 0
      await page.route('**/links?*', route => {
        sent += 1
        return route.fulfill({
          status: 400,
          headers: { 'Slipway-Error': 'INVALID_INPUT' },
          json: { success: false, error: 'Invalid input data', details },
        })
      })
      await page.getByRole('button', { name: 'Review the text to sign' }).click()
      await page.getByText('Slipway: change launch links').waitFor()
      expect(sent).toBe(0)
      await sign(page)
      await page.getByText('Website must be an http(s) URL.').waitFor()
      await page.unrouteAll()
      await page.getByRole('textbox', { name: 'Website' }).fill('https://tide.example/x')
      await page.getByRole('textbox', { name: 'Website' }).fill('https://tide.example')
      await page.getByRole('button', { name: 'Review the text to sign' }).click()
      await page.getByText('Slipway: change launch links').waitFor()
      await page.getByRole('button', { name: 'Sign with Demo wallet' }).click()
      await page.getByRole('button', { name: 'Reject' }).click()
      await page.getByText('Nothing was changed.').waitFor()
      await page.getByRole('button', { name: 'Sign again' }).click()
      await page.route('**/links?*', route =>
        route.fulfill({
          status: 401,
          headers: { 'Slipway-Error': 'INVALID_SIGNATURE' },
          json: { success: false, error: 'Invalid signature' },
        }),
      )
      await sign(page)
      await page.getByText('The signature is not valid any more').waitFor()
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Sign again' }).click()
      await sign(page)
      await page.getByText('The links are saved. @harbourmaster is verified.').waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      const links = page.getByRole('region', { name: 'Links' })
      await links.getByText('Verified', { exact: true }).waitFor()
      expect(await links.getByRole('link').allInnerTexts()).toEqual(['tide.example', 'x.com/harbourmaster'])
    },
    TEST_MS,
  )

  test(
    'an owner replaces the card of an agent with one that the service accepts, and removes it, on a phone',
    async () => {
      const opened = await site.open(`/agents/${site.world.agent('patchbot').address}`, PHONE)
      const { page } = opened
      await connectAs(page, 'Owner of Patchbot')
      const opener = page.getByRole('button', { name: 'Change its card' })
      await opener.press('Enter')
      await page.locator('dialog:focus').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await opener.and(page.locator(':focus')).waitFor()

      await opener.click()
      const editor = page.getByRole('textbox', { name: 'Card' })
      const card = JSON.parse(await editor.inputValue())
      await page.getByRole('button', { name: 'Review the text to sign' }).click()
      await page.getByText('Nothing has changed.').waitFor()
      await editor.fill('{\n  "name": Patchbot\n}')
      await page.getByText('Line 2: Unexpected token').waitFor()
      await fillCard({ ...card, skills: [{ id: 7 }] })
      await page.getByRole('button', { name: 'Review the text to sign' }).click()
      await page.getByText('`skills[0].id` must be a string.').waitFor()
      expect(await findProblems(opened)).toEqual([])
      const skill = { id: 'knots', name: 'Tie knots', description: 'All of them.', tags: ['rope'] }
      await fillCard({ ...card, skills: [skill] })
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('dialog').getByRole('heading', { name: 'Tie knots' }).waitFor()
      await page.getByRole('button', { name: 'Review the text to sign' }).click()
      await page.getByText('Slipway: replace agent card').waitFor()
      await page.getByRole('definition').filter({ hasText: '→ Tie knots' }).waitFor()
      await sign(page)
      await page.getByText('The card is saved.').waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('main').getByRole('heading', { name: 'Tie knots' }).waitFor()

      const removals: string[] = []
      page.on('request', request => request.method() === 'DELETE' && removals.push(request.url()))
      await opener.click()
      await page.getByRole('button', { name: 'Remove the card' }).click()
      await page.getByRole('button', { name: 'Sign with Demo wallet' }).click()
      await page.getByText('Sign this text?').waitFor()
      // The demo wallet covers the dialog, which the window of another wallet would not.
      const dialog = page.locator('dialog', { hasText: 'Change the card' })
      await dialog.getByLabel('Close').dispatchEvent('click')
      await page.getByRole('button', { name: 'Approve' }).click()

      await opener.click()
      await page.getByRole('button', { name: 'Remove the card' }).click()
      await sign(page)
      await page.getByText('The card is removed.').waitFor()
      // The change whose dialog was closed was never sent.
      expect(removals).toHaveLength(1)
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('main').getByRole('heading', { name: 'Find the breaking change' }).waitFor()

      async function fillCard(next: object) {
        await editor.fill(JSON.stringify(next, null, 2))
      }
    },
    TEST_MS,
  )
})

const methodOf = (route: Route): string => JSON.parse(route.request().postData() ?? '{}').method
