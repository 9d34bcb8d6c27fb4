import type { Locator, Page } from 'playwright-core'

const TABS_MAX = 100

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
      for (let presses = 0; presses < TABS_MAX; presses += 1) {
        if (await isFocused(target)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`the keyboard does not reach ${target}`)
    },
  }
}
