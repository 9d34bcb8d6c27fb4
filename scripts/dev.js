#!/usr/bin/env node
// The service, with its pages from their sources: Vite's server is in front of it, and reloads what changes.
import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import { createServer as createNetServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ALIASES } from './build-site.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const site = join(root, 'site')
const port = Number(process.env.PORT ?? 8080)
const servicePort = await findFreePort()

const service = spawn(process.execPath, [join(root, 'service/bin/slipway.js'), 'serve'], {
  stdio: 'inherit',
  env: { ...process.env, PORT: `${servicePort}`, PUBLIC_URL: `http://localhost:${port}` },
})
service.on('exit', code => process.exit(code ?? 1))
// The service stops in its own time. Then this process ends too.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill(signal))

const server = createServer((incoming, outgoing) =>
  vite.middlewares(incoming, outgoing, () => forward(incoming, outgoing)),
)
const { createServer: createVite } = await import(createRequire(join(site, 'package.json')).resolve('vite'))
const vite = await createVite({
  root: site,
  configFile: false,
  envDir: false,
  publicDir: false,
  appType: 'custom',
  resolve: { alias: ALIASES, conditions: ['slipway-source', 'module', 'browser', 'development'] },
  server: { middlewareMode: true, hmr: { server }, fs: { allow: [root] } },
})
server.listen(port, 'localhost', () =>
  process.stderr.write(`Pages from their sources: http://localhost:${port}\n`),
)

/** Everything but the sources comes from the service. Its pages load the sources instead of the built files. */
function forward(incoming, outgoing) {
  const { method, url: path, headers } = incoming
  const isPage = headers.accept?.includes('text/html') === true
  const options = {
    host: '127.0.0.1',
    port: servicePort,
    method,
    path,
    headers: isPage ? { ...headers, 'accept-encoding': 'identity', 'if-none-match': '' } : headers,
  }
  const upstream = request(options, async answer => {
    const isHtml = answer.headers['content-type']?.startsWith('text/html')
    if (!isHtml) return answer.pipe(outgoing.writeHead(answer.statusCode, answer.headers))
    let html = ''
    for await (const chunk of answer.setEncoding('utf8')) html += chunk
    outgoing.writeHead(answer.statusCode, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
    })
    outgoing.end(useSources(html))
  })
  upstream.on('error', () => outgoing.writeHead(503, { 'Retry-After': '1' }).end('The service is starting.'))
  incoming.pipe(upstream)
}

/** Keeps the page's data and removes its rendered HTML, because the sources have other class names. */
const useSources = html =>
  html.includes('id="state"')
    ? html
        .replaceAll(/<link rel="(?:modulepreload|stylesheet|preload)"[^>]*>/g, '')
        .replaceAll(/<script[^>]* src="[^"]*"><\/script>/g, '')
        .replace(/<div id="root">.*<\/div>\n<script/s, '<div id="root"></div>\n<script')
        .replace(
          '</head>',
          `${['/@vite/client', '/src/theme.ts', '/src/browser.tsx'].map(src => `<script type="module" src="${src}"></script>`).join('')}</head>`,
        )
    : html

function findFreePort() {
  return new Promise(resolve => {
    const probe = createNetServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address()
      probe.close(() => resolve(free))
    })
  })
}
