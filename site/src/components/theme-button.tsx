import { Moon, Sun } from 'lucide-react'
import styles from './theme-button.module.css'

/** Switches the theme and remembers it. */
export function ThemeButton() {
  function toggle() {
    const root = document.documentElement
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    const theme = isDark ? 'light' : 'dark'
    root.dataset.theme = theme
    try {
      localStorage.setItem('theme', theme)
    } catch {
      // Storage may be blocked; the choice then lasts until the page is left.
    }
    window.dispatchEvent(new Event('themechange'))
  }
  return (
    <button
      type="button"
      className={styles.theme}
      onClick={toggle}
      aria-label="Switch between light and dark"
    >
      <Moon size={18} strokeWidth={1.5} aria-hidden="true" className={styles.moon} />
      <Sun size={18} strokeWidth={1.5} aria-hidden="true" className={styles.sun} />
    </button>
  )
}
