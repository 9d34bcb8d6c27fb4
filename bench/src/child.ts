import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Task {
  name: string
  input: unknown
}

export interface Child {
  result: Promise<unknown>
  peakMegabytes(): Promise<number>
  stop(): void
}

/** Runs a task in a fresh process of its own, so that no measurement warms another up. */
export function runInChild(task: Task): Child {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['child'], {
    // Whatever it logs is written, and thrown away by the system.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const next = () =>
    new Promise<{ result?: unknown; error?: string }>((resolve, reject) => {
      child.once('message', message => resolve(message as { result?: unknown }))
      child.once('exit', code => reject(new Error(`${task.name} ended with ${code}`)))
    })
  const result = next().then(({ result, error }) => {
    if (error) throw new Error(error)
    return result
  })
  child.send(task)
  return {
    result,
    async peakMegabytes() {
      const answer = next()
      child.send({ name: 'peak', input: null })
      return Number((await answer).result)
    },
    stop: () => child.kill('SIGKILL'),
  }
}

/** The other side of it. */
export function answerTasks(tasks: Record<string, (input: never) => Promise<unknown>>): void {
  process.on('message', async ({ name, input }: Task) => {
    try {
      const result =
        name === 'peak' ? process.resourceUsage().maxRSS / 1_024 : await tasks[name]?.(input as never)
      process.send?.({ result })
    } catch (error) {
      process.send?.({ error: error instanceof Error ? error.stack : String(error) })
    }
  })
}
