import { createHash } from 'node:crypto'
import { ERROR_HEADER, ServiceError } from '@slipway/schema/errors'
import { PAGE_PARAMETERS } from '@slipway/site/protocol'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { wantsPage } from './wants-page.ts'

const RETRY_SECONDS = 2

/** The colours of the site, whose own files may not be there yet. */
const STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#f6f4ee,#0d151d);--ink:light-dark(#15202b,#e9eef2);--ink-2:light-dark(#45525e,#b3bfca);--line:light-dark(#b9b4a5,#43556a)}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:34rem;margin:0 auto;padding:18vh 1.5rem 2rem}
svg{fill:none;stroke:var(--line);stroke-width:2;stroke-linecap:round}
h1{margin:1rem 0 .5rem;font-size:1.875rem;line-height:1.2}
p{margin:0 0 .75rem;color:var(--ink-2)}
`
/** Asks again until the service answers, even if it can't be reached in between. */
const SCRIPT = `
try{const theme=localStorage.getItem('theme');if(theme)document.documentElement.dataset.theme=theme}catch{}
const ask=async()=>{
try{const {status}=await fetch(location.href,{method:'HEAD',headers:{Accept:'text/html'},cache:'no-store',signal:AbortSignal.timeout(10000)});if(status<500)return location.reload()}catch{}
setTimeout(ask,${RETRY_SECONDS * 1_000})}
setTimeout(ask,${RETRY_SECONDS * 1_000})
`
const BODY = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Not available yet · Slipway</title>
<style>${STYLE}</style>
<noscript><meta http-equiv="refresh" content="${RETRY_SECONDS}"></noscript>
</head>
<body>
<main>
<svg viewBox="0 0 96 24" width="96" height="24" aria-hidden="true"><path d="M2 9q7.700-6 15.300 0t15.400 0 15.300 0 15.300 0 15.400 0 15.300 0"/><path d="M14 18q7.700-6 15.300 0t15.400 0 15.300 0 15.300 0"/></svg>
<h1>Slipway is starting</h1>
<p role="status">The service is starting, or can’t answer at the moment.</p>
<p>This page tries again every two seconds and opens by itself.</p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Retry-After': `${RETRY_SECONDS}`,
  [ERROR_HEADER]: 'SERVICE_UNAVAILABLE',
}

/** The page that people see while the service can't render pages. It needs no other file, and reloads by itself. */
export const sendUnavailablePage = (reply: FastifyReply): FastifyReply =>
  reply.code(503).headers(HEADERS).send(BODY)

/** Serves that page in place of every page. */
export function mountUnavailablePages(app: FastifyInstance) {
  for (const path of Object.keys(PAGE_PARAMETERS))
    app.get(path, { config: { isPage: true } }, async (request, reply) => {
      if (wantsPage(request.raw)) return sendUnavailablePage(reply)
      throw new ServiceError('SERVICE_UNAVAILABLE')
    })
}
