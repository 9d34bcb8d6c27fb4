// Runs before the first paint, so that a chosen theme doesn't flash. Without a choice, the system's theme applies.
{
  let theme: string | null = null
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // Storage may be blocked; the system decides.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
