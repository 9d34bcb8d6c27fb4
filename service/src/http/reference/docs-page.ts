import { createHash } from 'node:crypto'
import { DOCS_SCRIPT, DOCS_STYLE } from './docs-assets.ts'
import type { OpenApi, Operation, Parameter } from './openapi-document.ts'

/** The page loads nothing from elsewhere, so it works offline and under a strict policy. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src '${integrity(DOCS_STYLE)}'`,
  `script-src '${integrity(DOCS_SCRIPT)}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Builds the API reference page from the OpenAPI document. */
export function createDocsPage(openApi: OpenApi): string {
  const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(openApi.info.title)} API reference</title>
<link rel="icon" href="data:,">
<style>${DOCS_STYLE}</style>
</head>
<body>
<nav>
<h1>${escapeHtml(openApi.info.title)}</h1>
<details open><summary>Contents</summary>
${openApi.tags
  .map(
    ({ name }) =>
      `<h2>${escapeHtml(name)}</h2><ul>${operations
        .filter(({ operation }) => operation.tags.includes(name as never))
        .map(
          ({ method, operation }) =>
            `<li><a href="#${operation.operationId}"><b class="${method}">${method}</b> ${escapeHtml(operation.summary)}</a></li>`,
        )
        .join('')}</ul>`,
  )
  .join('\n')}
<h2>Schemas</h2><ul>${Object.keys(openApi.components.schemas)
    .map(name => `<li><a href="#schema-${name}">${escapeHtml(name)}</a></li>`)
    .join('')}</ul>
<p><a href="/openapi.json">openapi.json</a></p>
</details>
</nav>
<main>
<header><p>${prose(openApi.info.description)}</p></header>
${operations.map(section).join('\n')}
<section><h2>Schemas</h2>
${Object.entries(openApi.components.schemas)
  .map(
    ([name, schema]) =>
      `<details id="schema-${name}"><summary><code>${escapeHtml(name)}</code></summary><pre>${linked(schema)}</pre></details>`,
  )
  .join('\n')}
</section>
</main>
<script>${DOCS_SCRIPT}</script>
</body>
</html>
`
}

function section({
  path,
  method,
  operation,
}: {
  path: string
  method: string
  operation: Operation
}): string {
  const inputs = (operation.parameters ?? []).filter(parameter => parameter.in !== 'header')
  return `<section id="${operation.operationId}">
<h2>${escapeHtml(operation.summary)}</h2>
<p class="path"><b class="${method}">${method}</b> <code>${escapeHtml(path)}</code></p>
<p>${prose(operation.description)}</p>
${operation.parameters ? parameterTable(operation.parameters) : ''}
${operation.requestBody ? `<h3>Body</h3><pre>${linked(operation.requestBody)}</pre>` : ''}
${
  method === 'get'
    ? `<form class="try" data-path="${escapeHtml(path)}">
<h3>Try it</h3>
${inputs.map(tryField).join('\n')}
<button>Send</button> <output></output><pre hidden></pre>
</form>`
    : ''
}
<h3>Responses</h3>
${Object.entries(operation.responses)
  .map(([status, { description, content }]) => {
    const examples = Object.values(content ?? {}).flatMap(({ examples }) => Object.values(examples ?? {}))
    return `<details${status === '200' ? ' open' : ''}><summary><b class="s${status[0]}">${status}</b> ${escapeHtml(description)}</summary>${examples
      .map(
        ({ value }) =>
          `<pre>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>`,
      )
      .join('')}</details>`
  })
  .join('\n')}
</section>`
}

function parameterTable(parameters: readonly Parameter[]): string {
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Values</th><th>Meaning</th></tr></thead><tbody>${parameters
    .map(
      ({ name, in: place, required, schema, description }) =>
        `<tr><td><code>${escapeHtml(name)}</code>${required ? ' <em>required</em>' : ''}</td><td>${place}</td><td>${values(schema)}</td><td>${prose(description ?? '')}</td></tr>`,
    )
    .join('')}</tbody></table>`
}

function values(schema: Record<string, unknown>): string {
  const options = Array.isArray(schema.enum) ? schema.enum : []
  if (options.length === 0) return escapeHtml(String(schema.type ?? 'any'))
  return options
    .map(
      option => `<code>${escapeHtml(String(option))}</code>${option === schema.default ? ' (default)' : ''}`,
    )
    .join(' <br>')
}

function tryField({ name, in: place, schema }: Parameter): string {
  const options = Array.isArray(schema.enum) ? schema.enum.map(String) : []
  const control =
    options.length > 0
      ? `<select name="${name}" data-in="${place}"><option value="">default</option>${options.map(option => `<option>${escapeHtml(option)}</option>`).join('')}</select>`
      : `<input name="${name}" data-in="${place}" spellcheck="false" autocomplete="off">`
  return `<label><code>${escapeHtml(name)}</code> ${control}</label>`
}

/** JSON whose references link to the schemas on the page. */
function linked(schema: unknown): string {
  return escapeHtml(JSON.stringify(schema, null, 2)).replace(
    /#\/components\/schemas\/(\w+)/g,
    (_, name) => `<a href="#schema-${name}">${name}</a>`,
  )
}

function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

function integrity(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
