import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { copyDemoWorld } from '../../service/src/testing/demo-copy.ts'
import { freePort, runSlipway } from '../../service/src/testing/run-slipway.ts'
import { copyEmbeddedDatabase } from '../../service/src/testing/test-database.ts'
import { CHROMIUM, isInteractive, openPage, PHONE, TEST_MS } from './site-browser.ts'

describe.skipIf(!CHROMIUM)('npm start, with the market running', () => {
  test('the log names the site, and an open page shows what moves', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'slipway-site-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    copyEmbeddedDatabase(dataDir)
    const port = await freePort()
    const url = `http://localhost:${port}`
    const { serving, child, finished } = runSlipway(['serve'], {
      SITE: 'on',
      PORT: port,
      DATA_DIR: dataDir,
      LOCAL_CHAIN_PORT: await copyDemoWorld(dataDir),
      LOCAL_CHAIN_ACTIVITY: 'on',
    })
    expect(await serving()).toMatchObject({ site: url })
    // After a change of the site, the first start builds it, which takes minutes on a busy machine.
    const readStatus = async () => (await fetch(url, { headers: { Accept: 'text/html' } })).status
    await expect.poll(readStatus, { timeout: TEST_MS, interval: 500 }).toBe(200)

    // As people have it: with its animations and at its own pace.
    const { page, complaints } = await openPage(url, {
      ...PHONE,
      reducedMotion: 'no-preference',
      hurries: false,
    })
    await isInteractive(page)
    await page.getByRole('heading', { name: 'In the spotlight' }).waitFor()
    // The row that moved rises, with its new figure.
    const firstRow = page.locator('li[aria-posinset="1"]')
    await firstRow.getByText(/SOL/).first().waitFor()
    const before = await firstRow.innerText()
    await expect.poll(() => firstRow.innerText(), { timeout: 60_000, interval: 250 }).not.toBe(before)
    await firstRow.getByText(/SOL/).first().waitFor()
    await firstRow.click()
    await page
      .getByText(/^Raised/)
      .first()
      .waitFor()
    expect(complaints).toEqual([])
    child.kill('SIGTERM')
    expect(await finished).toMatchObject({ code: 0 })
  })
})
