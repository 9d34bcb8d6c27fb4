/** Style and script of the reference page, inlined so that the page loads nothing else. */

export const DOCS_STYLE = `
:root { color-scheme: light dark; --ink: #1a2433; --soft: #5b6b80; --line: #dde4ec; --paper: #fff; --shade: #f5f8fb; --accent: #0b6bcb; --good: #16825d; --fair: #b25b00; --bad: #c22f3d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf5; --soft: #93a4b8; --line: #2a3645; --paper: #10161e; --shade: #18212c; --accent: #6cb4ff; --good: #3fb68b; --fair: #e09a4a; --bad: #f0727e; } }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; border-right: 1px solid var(--line); background: var(--shade); }
nav h1 { font-size: 1.3rem; margin: 0 0 1rem; }
nav h2 { font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 1.2rem 0 .3rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav summary { display: none; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .2rem 0; color: var(--ink); text-decoration: none; }
nav li b { flex: none; min-width: 2.6rem; text-align: center; }
nav li a:hover { color: var(--accent); }
main { padding: 2rem min(5vw, 4rem) 6rem; max-width: 60rem; }
section { padding-top: 1rem; margin-top: 2rem; border-top: 1px solid var(--line); }
h3 { font-size: .95rem; margin: 1.6rem 0 .5rem; }
a { color: var(--accent); }
code, pre, input, select { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--shade); border: 1px solid var(--line); border-radius: 8px; padding: .9rem; overflow: auto; max-height: 28rem; }
b.get, b.post, b.put, b.delete { font: 700 .7rem/1 ui-monospace, monospace; text-transform: uppercase; padding: .2rem .4rem; border-radius: 4px; color: #fff; background: #16825d; }
b.post { background: #8a4bd0; }
b.put { background: #a05a00; }
b.delete { background: #b3261e; }
.s2, .s3 { color: var(--good); } .s4 { color: var(--fair); } .s5 { color: var(--bad); }
table { width: 100%; border-collapse: collapse; font-size: .9rem; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .45rem .8rem .45rem 0; border-bottom: 1px solid var(--line); }
td code { white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
em { color: var(--fair); font-size: .8rem; }
main details { margin: .4rem 0; } summary { cursor: pointer; }
.try label { display: block; margin: .3rem 0; } .try label > code { display: inline-block; min-width: 9rem; } .try output { overflow-wrap: anywhere; }
.path code, .use code { overflow-wrap: anywhere; }
input, select { padding: .3rem .5rem; width: 30rem; max-width: 100%; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--ink); }
button { padding: .4rem 1.1rem; border: 0; border-radius: 6px; background: var(--accent); color: var(--paper); font: inherit; cursor: pointer; }
@media (max-width: 48rem) {
  body { display: block; }
  nav { position: static; height: auto; padding: 1rem min(5vw, 4rem); border-right: 0; border-bottom: 1px solid var(--line); }
  nav h1 { margin-bottom: .3rem; }
  nav summary { display: list-item; }
  main { padding-top: 0; }
  table, tbody, tr { display: block; }
  thead { display: none; }
  tr { padding: .45rem 0; border-bottom: 1px solid var(--line); }
  td { display: inline-block; padding: 0 .8rem 0 0; border: 0; }
  td br { display: none; }
  td:last-child { display: block; }
}
`

export const DOCS_SCRIPT = `
for (const form of document.querySelectorAll('form.try')) {
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const query = new URLSearchParams()
    let path = form.dataset.path
    for (const field of form.querySelectorAll('[name]')) {
      if (field.dataset.in === 'path') path = path.replace('{' + field.name + '}', encodeURIComponent(field.value))
      else if (field.value) query.set(field.name, field.value)
    }
    const url = path + (query.size ? '?' + query : '')
    const output = form.querySelector('output')
    const pre = form.querySelector('pre')
    output.textContent = 'GET ' + url + ' …'
    try {
      const response = await fetch(url)
      const text = await response.text()
      output.textContent = response.status + ' ' + url
      let shown = text
      try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
      pre.textContent = shown.length > 200000 ? shown.slice(0, 200000) + '\\n… ' + text.length + ' bytes in all' : shown
    } catch (error) {
      output.textContent = 'No answer: ' + error.message
      pre.textContent = ''
    }
    pre.hidden = pre.textContent === ''
  })
}
const menu = document.querySelector('nav details')
const narrow = matchMedia('(max-width: 48rem)')
const fitMenu = () => { menu.open = !narrow.matches }
narrow.addEventListener('change', fitMenu)
menu.addEventListener('click', event => { if (event.target.closest('a')) fitMenu() })
fitMenu()
const reveal = () => { const target = location.hash && document.getElementById(location.hash.slice(1)); if (target && target.tagName === 'DETAILS') target.open = true }
addEventListener('hashchange', reveal)
reveal()
`
