import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The addresses and keys of the demo, which the service writes when it starts with its embedded chains. */
export function readDemo() {
  const file = join(process.env.DATA_DIR ?? 'data', 'demo.json')
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(
      `The demo's keys cannot be read from ${file} (${error.code ?? error.message}). Start the service with \`npm start\`, and set DATA_DIR if the service has it.`,
    )
  }
}
