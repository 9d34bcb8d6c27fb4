// Draws the picture that link previews show, from `preview.html`. Needs Chromium.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: { width: 1_200, height: 630 } })
await page.goto(new URL('preview.html', import.meta.url).href)
await page.evaluate('document.fonts.ready')
await page.screenshot({ path: fileURLToPath(new URL('../src/preview.png', import.meta.url)) })
await browser.close()
