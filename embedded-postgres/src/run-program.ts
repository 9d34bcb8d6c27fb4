import { spawn } from 'node:child_process'
import type { RunAs } from './user.ts'

/** Nothing of our environment but PATH: PG* variables would change what the programs do, a locale their messages. */
export function cleanEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/** The options that every program of ours is started with, in a process group of its own. */
export function spawnOptions(runAs?: RunAs) {
  return { cwd: '/', env: cleanEnv(), detached: true, ...runAs?.switchTo }
}

/** Runs a short program to its end; one that cannot even start has code -1 and the reason as its output. */
export function runProgram(command: string[], runAs?: RunAs): Promise<{ code: number; output: string }> {
  const [program = '', ...args] = [...(runAs?.prefix ?? []), ...command]
  return new Promise(resolve => {
    const child = spawn(program, args, { ...spawnOptions(runAs), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const endChild = () => child.kill('SIGTERM')
    const finish = (code: number) => {
      process.off('exit', endChild)
      resolve({ code, output })
    }
    process.on('exit', endChild)
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      output += chunk
    })
    child.on('error', error => {
      output += error.message
      finish(-1)
    })
    child.on('close', code => finish(code ?? -1))
  })
}
