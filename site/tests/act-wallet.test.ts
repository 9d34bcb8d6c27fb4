import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { rentFor } from '@slipway/local-chain/conditions'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { describe, expect, test } from 'vitest'
import { fundedWallet, land } from '../../service/src/agents/test-mints.ts'
import { NON_TRANSFERABLE, tokenWriter } from '../../service/src/agents/wallet/test-tokens.ts'
import { postJson } from '../../service/src/testing/demo-launches.ts'
import { connectAs, openFunds, sign, useDemoSite } from './demo-site.ts'
import { CHROMIUM, PHONE, TEST_MS } from './site-browser.ts'

describe.skipIf(!CHROMIUM)("an agent's wallet in a browser", () => {
  const site = useDemoSite()

  test(
    'an owner withdraws tokens and rewards, appoints a delegate and revokes it, on a phone',
    async () => {
      const { local } = site.world.chainOf()
      const agent = site.world.agent('patchbot')
      const [wallet, owner] = [agent.wallet, agent.owner.address] as string[] as [Address, Address]
      const { mint, hold, tokens, lamports } = tokenWriter(local)
      const [kelp, fake] = [mint({ decimals: 2 }), mint({ name: 'Wrapped SOL', symbol: 'SOL', decimals: 9 })]
      hold(wallet, WRAPPED_NATIVE_MINT, 1_480_000_000n)
      hold(wallet, kelp, 12_345n)
      hold(wallet, fake, 10n ** 18n)
      hold(wallet, mint({ extensions: [NON_TRANSFERABLE] }), 1n, { extensions: [NON_TRANSFERABLE] })
      const { page, complaints } = await site.open(`/agents/${agent.address}`, PHONE)
      await connectAs(page, `Owner of ${agent.entry.name}`)
      const panel = page.getByRole('region', { name: 'Wallet' })
      const held = panel.getByRole('list', { name: 'Tokens in this wallet' }).getByRole('listitem')
      await held.first().getByText('1.48').waitFor()
      expect(await held.count()).toBe(4)
      expect(await held.filter({ hasText: 'Not a known token' }).count()).toBe(3)

      const form = await openFunds(page, PHONE)
      await form.getByRole('button', { name: 'Withdraw', exact: true }).click()
      // What can't be transferred is not offered.
      expect(await form.getByRole('combobox', { name: 'Token' }).getByRole('option').count()).toBe(4)
      await form.getByRole('combobox', { name: 'Token' }).selectOption(WRAPPED_NATIVE_MINT)
      await form.getByRole('button', { name: 'Max' }).click()
      await form.getByRole('button', { name: 'Review withdrawal' }).click()
      await page.getByText('Turn all wrapped SOL in the agent’s account').waitFor()
      await page.getByText('Passed a simulation').waitFor()
      const before = lamports(owner)
      await sign(page)
      await page.getByText('You got 1.48 SOL.').waitFor()
      expect(tokens(wallet, WRAPPED_NATIVE_MINT)).toBeUndefined()
      expect(lamports(owner)).toBe(
        before + 1_480_000_000n + rentFor(165) - (rentFor(7) - rentFor(0)) - 5_000n,
      )
      await page.getByRole('button', { name: 'Done' }).click()

      await openFunds(page, PHONE)
      await form.getByRole('combobox', { name: 'Token' }).selectOption(kelp)
      await form.getByRole('textbox', { name: 'Amount' }).fill('23.45')
      await form.getByRole('button', { name: 'Review withdrawal' }).click()
      await page.getByText('Move 23.45 of the token').waitFor()
      await sign(page)
      await page.getByText(/^You got (about )?23\.45 /).waitFor()
      expect([tokens(wallet, kelp), tokens(owner, kelp)]).toEqual([10_000n, 2_345n])
      await page.getByRole('button', { name: 'Done' }).click()

      const who = page.getByRole('region', { name: 'Who can spend' })
      await who.getByText('Only the owner can move what the agent’s wallet holds.').waitFor()
      const delegate = fundedWallet(local)
      const built = await postJson(`${site.service.url}/v1/executives/register`, { wallet: delegate.address })
      expect(await land(local, built.body, delegate)).toBeNull()
      await who.getByText('Let another wallet spend').click()
      const field = who.getByRole('textbox', { name: 'The wallet’s address' })
      await field.fill(createKeypair().address)
      await who.getByRole('button', { name: 'Review' }).click()
      await page.getByText('Not an executive').waitFor()
      await page.getByRole('button', { name: 'Close' }).first().click()
      await field.fill(delegate.address)
      await who.getByRole('button', { name: 'Review' }).click()
      await page.getByText('move everything that the agent’s wallet holds, until it is revoked').waitFor()
      await sign(page)
      await page.getByText('This wallet can now move everything that the agent’s wallet holds.').waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await who.getByText('another wallet can move everything').waitFor()
      // Funders read it before they pay.
      await openFunds(page, PHONE)
      await form.getByRole('button', { name: 'Fund', exact: true }).click()
      await form.getByText('another wallet can move everything').waitFor()
      await form.getByRole('button', { name: 'Close' }).click()
      await who.getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('from spending what the agent’s wallet holds').waitFor()
      await sign(page)
      await page.getByText('This wallet can no longer spend from the agent’s wallet.').waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await who.getByText('Only the owner can move what the agent’s wallet holds.').waitFor()

      const rewards = panel.getByRole('link', { name: 'Creator rewards of this agent' })
      await rewards.click()
      await page.getByText('The agent’s owner can withdraw them as SOL on the agent’s page.').waitFor()
      await page.getByRole('main').getByRole('link', { name: agent.entry.name }).click()
      await rewards.waitFor()
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )
})
