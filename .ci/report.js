// Reads Vitest's JSON reports for .ci/run.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const [command, path] = process.argv.slice(2)

const readFailures = file =>
  JSON.parse(readFileSync(file, 'utf8')).testResults.flatMap(
    ({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter(test => test.status === 'failed')
      const failures = failed.map(test => ({ test: test.fullName, message: test.failureMessages.join('\n') }))
      const file = relative(process.cwd(), name)
      return (failures.length > 0 || status !== 'failed' ? failures : [{ test: '', message }]).map(
        failure => ({ file, ...failure }),
      )
    },
  )

if (command === 'failed-files') {
  const failures = readFailures(path)
  // A failed property is a finding, whenever it occurs: fast-check's message starts with these words.
  const isFinding = failures.some(({ message }) => /(^|: )Property failed/.test(message))
  const files = [...new Set(failures.map(({ file }) => file))]
  // When many files fail, something is broken.
  if (isFinding || files.length === 0 || files.length > 5) process.exit(1)
  console.log(files.join(' '))
} else {
  let passed = 0
  let failed = 0
  const names = readdirSync(path)
  for (const name of names.filter(name => !name.endsWith('.again.json'))) {
    const report = JSON.parse(readFileSync(join(path, name), 'utf8'))
    const failures = readFailures(join(path, name))
    const again = name.replace('.json', '.again.json')
    const stillFailed = names.includes(again) ? readFailures(join(path, again)) : failures
    for (const { file, test, message } of failures) {
      console.log(
        `\n${stillFailed.length === 0 ? 'UNSTABLE (passed when run again)' : 'FAILED'} ${file}\n${test}\n${message}`,
      )
    }
    const recovered = stillFailed.length === 0 ? report.numFailedTests : 0
    passed += report.numPassedTests + recovered
    failed += stillFailed.length === 0 ? 0 : Math.max(report.numFailedTests, failures.length)
  }
  console.log(`${passed} passed, ${failed} failed`)
}
