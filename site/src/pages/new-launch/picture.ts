/**
 * What a token without a picture of its own points to: the mark of this site. The name of its file depends on its content
 * alone, so the URL outlives new versions of the site.
 */
export function defaultPictureUrl(publicUrl: string): string {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '/'
  return new URL(new URL(icon, location.href).pathname, publicUrl).href
}
