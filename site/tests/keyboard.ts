import type { Locator, Page } from 'playwright-core'

/** While a dialog opens or closes, the keyboard does not reach everything. */
const REACH_MS_MAX = 30_000

/** Acts as a person without a pointer: only what has the focus gets a key. */
export function keyboardOf(page: Page) {
  const isFocused = (target: Locator) =>
    target.evaluate(
      element =>
        element ===
        (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement,
    )
  return {
    press: (key: string) => page.keyboard.press(key),
    type: (text: string) => page.keyboard.type(text),
    async tabTo(target: Locator) {
      await target.waitFor()
      for (const startMs = Date.now(); Date.now() - startMs < REACH_MS_MAX; ) {
        if (await isFocused(target)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`the keyboard does not reach ${target}`)
    },
  }
}
