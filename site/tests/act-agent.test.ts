import { formatAmount } from '@slipway/client'
import { PublicKey, SystemProgram } from '@solana/web3.js'
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { rawRequest } from '../../service/src/testing/raw-request.ts'
import { connectAs, loseTransactions, openFunds, sign, useDemoSite } from './demo-site.ts'
import { CHROMIUM, DESKTOP, eventually, PHONE, reload, TEST_MS } from './site-browser.ts'
import { fromBase64, MALLORY, rebuild, swapAccount } from './test-rebuild.ts'

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

describe.skipIf(!CHROMIUM)('acting on agents in a browser', () => {
  const site = useDemoSite()
  const agentOf = (slug: string) => site.world.agent(slug)
  const balanceOf = (address: string) =>
    site.world.chainOf().local.chain.account(address as never)?.lamports ?? 0n

  /** The page of an agent, as its owner, with an amount to withdraw. */
  async function openWithdrawal(slug: string, amount: string, options = DESKTOP) {
    const agent = agentOf(slug)
    const opened = await site.open(`/agents/${agent.address}`, options)
    await connectAs(opened.page, `Owner of ${agent.entry.name}`)
    await fillWithdrawal(opened.page, amount)
    return { ...opened, agent }
  }
  async function fillWithdrawal(page: Page, amount: string) {
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
    await page.getByRole('button', { name: 'Review withdrawal' }).click()
  }

  /** Reloads the page before the outcome is known. A notice then shows the outcome, and the form is empty. */
  async function reloadAfterSigning(page: Page) {
    await page.route(`${site.rpcUrl()}/**`, route =>
      route.request().postData()?.includes('getSignatureStatuses') ? route.abort() : route.continue(),
    )
    await sign(page)
    await page.getByText('The chain is not answering').waitFor()
    await page.reload()
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Open Хранитель' }).waitFor()
    expect(await page.getByRole('main').getByRole('textbox', { name: 'Name' }).inputValue()).toBe('')
  }

  test(
    'an owner funds an agent and withdraws to the last unit, on a phone',
    async () => {
      const agent = agentOf('patchbot')
      const { page, complaints } = await site.open(`/agents/${agent.address}`, PHONE)
      await connectAs(page, `Owner of ${agent.entry.name}`)
      const before = balanceOf(agent.wallet)
      await openFunds(page, PHONE)
      await page.getByRole('textbox', { name: 'Amount' }).fill('1.5.2')
      await page.getByText('Enter a number above 0').waitFor()
      await page.getByRole('textbox', { name: 'Amount' }).fill('0.000000001')
      await page.getByRole('textbox', { name: 'Note' }).fill('For the night ferry')
      await page.getByRole('button', { name: 'Review funding' }).click()
      await page.getByText('Publish the note “For the night ferry”').waitFor()
      await page.getByText('Passed a simulation').waitFor()
      await sign(page)
      await page.getByText('The agent has the funds.').waitFor()
      expect(balanceOf(agent.wallet) - before).toBe(1n)
      const explorer = page.getByRole('dialog').getByRole('link', { name: 'View transaction' })
      expect(await explorer.getAttribute('href')).toContain('https://explorer.solana.com/tx/')
      await page.getByRole('button', { name: 'Done' }).click()

      const owned = balanceOf(agent.owner.address)
      await openFunds(page, PHONE)
      await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
      // All is what the page knows of.
      const all = formatAmount(`${balanceOf(agent.wallet)}`, 9)
      await eventually(async () => {
        await page.getByRole('button', { name: 'Max' }).click()
        return page.getByRole('textbox', { name: 'Amount' }).inputValue()
      }).toBe(all)
      await page.getByRole('button', { name: 'Review withdrawal' }).click()
      await sign(page)
      await page.getByText(/^You got [\d.]+ SOL\.$/).waitFor()
      expect(balanceOf(agent.wallet)).toBe(0n)
      expect(balanceOf(agent.owner.address)).toBeGreaterThan(owned + before - 100_000n)
      await page.getByRole('button', { name: 'Done' }).click()
      await page
        .getByRole('region', { name: 'Wallet' })
        .getByText(/^0 SOL$/)
        .first()
        .waitFor()
      // The form is out of the way, and the keyboard continues where it was.
      await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('Fund or withdraw')
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )

  test(
    'a visitor creates an agent, with faults shown while typing, and owns it, after a reload in the middle',
    async () => {
      const { page, complaints } = await site.open('/agents/new')
      const form = page.getByRole('main')
      // Storage may hold anything.
      await page.evaluate(`localStorage.setItem('draft:agent', '{"name":5,"services":null}')`)
      await reload(page)
      await form.getByRole('textbox', { name: 'Name' }).fill('Хранитель маяка старого порта')
      await form.getByRole('textbox', { name: 'Address', exact: true }).fill('ferry.example')
      await page.getByText('Enter a web address that starts with https://').waitFor()
      await reload(page)
      // The draft is kept.
      await form.getByRole('textbox', { name: 'Address', exact: true }).fill('https://ferry.example/a2a')
      await form.getByRole('radio', { name: 'Devnet' }).check()
      await connectAs(page, 'Visitor')
      await page.getByText('The connected account is for Mainnet. Choose a Devnet account.').waitFor()
      expect(await page.getByRole('button', { name: 'Review the transaction' }).count()).toBe(0)
      await form.getByRole('radio', { name: 'Mainnet' }).check()
      await page.getByRole('button', { name: 'Review the transaction' }).click()
      await page.getByText('Say in a sentence what it does.').waitFor()
      await form.getByRole('textbox', { name: 'What it does' }).fill('Plans crossings around the tide.')
      await page.getByRole('button', { name: 'Review the transaction' }).click()
      await page.getByText('Create the agent “Хранитель маяка старого порта”').waitFor()
      await reloadAfterSigning(page)
      await page.getByRole('link', { name: 'Open Хранитель' }).click()
      await page.getByRole('heading', { name: 'Хранитель маяка старого порта', level: 1 }).waitFor()
      const { visitor } = site.world.chainOf().world
      await page.getByText(visitor.address.slice(0, 4)).first().waitFor()
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )

  test(
    'a refusal, a failing simulation and an expired blockhash are shown, and trying again succeeds',
    async () => {
      const { page, agent } = await openWithdrawal('quiet-engine', '0.01')
      const before = balanceOf(agent.wallet)
      await page.getByRole('button', { name: 'Sign with Demo wallet' }).click()
      await page.getByRole('button', { name: 'Reject' }).click()
      await page.getByText('You declined to sign. Nothing was sent.').waitFor()

      await loseTransactions(page, site.rpcUrl())
      await page.getByRole('button', { name: 'Try again' }).click()
      await sign(page)
      await page.getByText('The transaction was not executed in time').waitFor()
      expect(balanceOf(agent.wallet)).toBe(before)

      // A service that names a past block can't make the page say that nothing happened.
      await page.unrouteAll()
      await page.route('**/withdraw', async route => {
        const body = await (await route.fetch()).json()
        await route.fulfill({ json: { ...body, blockhash: { ...body.blockhash, lastValidBlockHeight: 1 } } })
      })
      await page.route(`${site.rpcUrl()}/**`, forgetOneStatus())
      await page.getByRole('button', { name: 'Try again' }).click()
      await sign(page)
      await page.getByText(/^You got [\d.]+ SOL\.$/).waitFor()
      await page.unrouteAll()
      expect(before - balanceOf(agent.wallet)).toBe(10_000_000n)
      await page.getByRole('button', { name: 'Done' }).click()

      await page.getByRole('button', { name: 'Fund', exact: true }).click()
      const owned = Number(balanceOf(agent.owner.address)) / 1e9
      await page.getByRole('textbox', { name: 'Amount' }).fill('9007199.254740992')
      await page.getByText('Enter less than 9,007,199.254740992 SOL.').waitFor()
      await page.getByRole('textbox', { name: 'Amount' }).fill('1000')
      await page.getByText(`You have only ${owned} SOL.`).waitFor()
      // Nothing is left for the fee.
      await page.getByRole('textbox', { name: 'Amount' }).fill(`${owned}`)
      await page.getByRole('button', { name: 'Review funding' }).click()
      await page.getByText('It would fail').waitFor()
      expect(await page.getByRole('button', { name: 'Sign with Demo wallet' }).count()).toBe(0)
    },
    TEST_MS,
  )

  test(
    'what a hostile service builds is refused before the wallet sees it',
    async () => {
      const { page, agent } = await openWithdrawal('night-heron', '0.01')
      // Only an open sheet can be closed.
      await page.getByRole('button', { name: 'Sign with Demo wallet' }).waitFor()
      const attacks: [string, Parameters<typeof rebuild>[1]][] = [
        [
          'an extra payment',
          parts =>
            parts.instructions.push(
              SystemProgram.transfer({
                fromPubkey: new PublicKey(agent.owner.address),
                toPubkey: new PublicKey(MALLORY),
                lamports: 1,
              }),
            ),
        ],
        ['another receiver', parts => swapReceiver(parts, agent.owner.address)],
        [
          'another signer',
          parts => {
            const key = parts.instructions[0]?.keys.at(-1)
            if (key) Object.assign(key, { isSigner: true, pubkey: new PublicKey(MALLORY) })
          },
        ],
      ]
      for (const [name, change] of attacks) {
        await page
          .getByRole('button', { name: /^(?:Cancel|Close)$/ })
          .last()
          .click()
        await page.route('**/withdraw', async route => {
          const body = await (await route.fetch()).json()
          const tx = Buffer.from(rebuild(fromBase64(body.tx), change)).toString('base64')
          await route.fulfill({ json: { ...body, tx } })
        })
        await page.getByRole('button', { name: 'Review withdrawal' }).click()
        await page.getByText('This is not what you asked for').waitFor()
        expect(await page.getByRole('button', { name: /Sign/ }).count(), name).toBe(0)
        await page.unrouteAll()
      }
    },
    TEST_MS,
  )

  test(
    'while the RPC is down a page waits, after a reload it shows the outcome, and a second tab waits its turn',
    async () => {
      const { page, agent } = await openWithdrawal('archivist', '0.01')
      const before = balanceOf(agent.wallet)
      await page.getByRole('button', { name: 'Sign with Demo wallet' }).click()
      const second = await page.context().newPage()
      await second.goto(page.url())
      await second.getByRole('button', { name: /^Wallet: Owner of/ }).waitFor()
      await fillWithdrawal(second, '0.01')
      await second.getByRole('button', { name: 'Sign with Demo wallet' }).click()
      await second.getByText('Another tab is doing this').waitFor()
      await second.close()

      // The chain gets the transaction, and then the page loses the RPC.
      let isSent = false
      await page.route(`${site.rpcUrl()}/**`, async route => {
        if (isSent) return route.abort()
        isSent = route.request().postData()?.includes('sendTransaction') === true
        await route.continue()
      })
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('The chain is not answering').waitFor()
      await page.reload()
      await page.getByText('Sent before you left this page. Checking what happened').waitFor()
      await page.unrouteAll()
      await page.getByText('Confirmed.').waitFor()
      expect(before - balanceOf(agent.wallet)).toBe(10_000_000n)
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await page.reload()
      await page.getByRole('button', { name: /^Wallet: Owner of/ }).waitFor()
      expect(await page.getByText('Checking what happened').count()).toBe(0)
    },
    TEST_MS,
  )

  test('the keys of the demo are for its own pages alone', async () => {
    const { url } = site.service
    const ask = (headers: Record<string, string>) => rawRequest(url, '/demo/keys', { headers })
    const { status, headers, text } = await ask(SAME_ORIGIN)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
    expect(JSON.parse(text).accounts[0]).toMatchObject({ network: 'chain-mainnet', label: 'Visitor' })
    const refused = [
      {},
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { ...SAME_ORIGIN, host: 'slipway.example' },
      { ...SAME_ORIGIN, host: 'localhost.evil.example:80' },
      { ...SAME_ORIGIN, host: '127.0.0.1.evil.example' },
    ]
    for (const headers of refused) {
      const answer = await ask(headers as Record<string, string>)
      expect(answer.status, JSON.stringify(headers)).toBe(404)
      expect(answer.text).not.toContain('secretKey')
    }
  })
})

/** Answers the first question for a status as an RPC does that is behind. */
function forgetOneStatus() {
  let isFirst = true
  return async (route: Route) => {
    const { method, id } = route.request().postDataJSON() ?? {}
    if (method !== 'getSignatureStatuses' || !isFirst) return route.continue()
    isFirst = false
    await route.fulfill({ json: { jsonrpc: '2.0', id, result: { context: { slot: 1 }, value: [null] } } })
  }
}

function swapReceiver(parts: Parameters<Parameters<typeof rebuild>[1]>[0], owner: string) {
  const instruction = parts.instructions.at(-1)
  const at = instruction?.keys.findLastIndex(({ pubkey }) => pubkey.toBase58() === owner) ?? -1
  swapAccount(instruction, at)
}
