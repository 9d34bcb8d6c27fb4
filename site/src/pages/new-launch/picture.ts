/**
 * The picture of a token without its own: the mark of this site. The name of its file depends on its content
 * alone, so the URL outlives new versions of the site. A preview shows it from where the page was loaded.
 */
export function findDefaultPicture(publicUrl: string): { url: string; shownUrl: string } {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '/'
  const shown = new URL(icon, location.href)
  return { url: new URL(shown.pathname, publicUrl).href, shownUrl: shown.href }
}
