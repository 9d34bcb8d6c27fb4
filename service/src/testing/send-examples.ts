import type { OpenApi } from '../http/reference/openapi-types.ts'

interface ExampleResponse {
  /** The path with the values of the example. */
  target: string
  status: number
  text: string
}

/** Sends the example of every operation, as the reference does, except of those that answer with a stream. */
export async function sendExamples(url: string): Promise<Map<string, ExampleResponse>> {
  const { paths } = (await (await fetch(`${url}/docs/reference.json`)).json()) as OpenApi
  const responses = new Map<string, ExampleResponse>()
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { parameters = [], requestBody, responses: described }] of Object.entries(
      operations,
    )) {
      if (described[200]?.content?.['text/event-stream']) continue
      const target = path.replace(/\{(\w+)\}/g, (_, name) => {
        return String(parameters.find(parameter => parameter.name === name)?.example)
      })
      const required = parameters.filter(parameter => parameter.in === 'query' && parameter.required)
      const query = new URLSearchParams(
        Object.fromEntries(required.map(({ name, example }) => [name, String(example)])),
      )
      const example = requestBody?.content['application/json']?.examples?.request?.value
      const { status, text } = await sendUntilDone(
        required.length > 0 ? `${url}${target}?${query}` : url + target,
        {
          method: method.toUpperCase(),
          ...(example !== undefined && {
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(example),
          }),
        },
      )
      responses.set(`${method.toUpperCase()} ${path}`, { target, status, text })
    }
  return responses
}

const BUSY_MS_MAX = 60_000
const PAUSE_MS = 500

/** A service on a busy machine may not answer in time, and says so: the caller should try again. */
async function sendUntilDone(url: string, request: RequestInit): Promise<{ status: number; text: string }> {
  const endMs = Date.now() + BUSY_MS_MAX
  for (;;) {
    const response = await fetch(url, request)
    const answer = { status: response.status, text: await response.text() }
    const isBusy = answer.status === 500 || answer.status === 503
    if (!isBusy || Date.now() > endMs) return answer
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
}
