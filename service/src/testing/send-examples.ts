import type { OpenApi } from '../http/reference/openapi-document.ts'

/** Sends the example of every operation, as the reference does. Returns each response with a body that ends. */
export async function sendExamples(url: string): Promise<Map<string, { status: number; text: string }>> {
  const { paths } = (await (await fetch(`${url}/docs/reference.json`)).json()) as OpenApi
  const responses = new Map<string, { status: number; text: string }>()
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { parameters = [], requestBody, responses: described }] of Object.entries(
      operations,
    )) {
      if (described[200]?.content?.['text/event-stream']) continue
      const target = path.replace(/\{(\w+)\}/g, (_, name) => {
        return String(parameters.find(parameter => parameter.name === name)?.example)
      })
      const example = requestBody?.content['application/json']?.examples?.request?.value
      const response = await fetch(url + target, {
        method: method.toUpperCase(),
        ...(example !== undefined && {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(example),
        }),
      })
      responses.set(`${method.toUpperCase()} ${path}`, {
        status: response.status,
        text: await response.text(),
      })
    }
  return responses
}
