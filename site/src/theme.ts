// Runs before anything is painted, so that a chosen theme never flashes in late. Without a choice, the system decides.
{
  let theme: string | null = null
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // Storage may be blocked; the system decides.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
