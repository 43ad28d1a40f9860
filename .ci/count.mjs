/**
 * Adds up the JSON reports of test runs: names what failed and what passed only when it was tried again, prints
 * `N passed, N failed` and fails when anything failed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [failedChecks, ...reports] = process.argv.slice(2)
const total = { passed: 0, failed: Number(failedChecks), skipped: 0 }

const say = (state, file, title, message = '') => {
  const reason = message.split('\n').slice(0, 3).join('\n    ').slice(0, 600)
  process.stdout.write(`${state}: ${relative(process.cwd(), file)}${title && ` › ${title}`}\n    ${reason}\n`)
}

for (const file of reports) {
  if (!existsSync(file)) {
    say('NO REPORT', file, '')
    total.failed += 1
    continue
  }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  total.passed += report.numPassedTests
  total.failed += report.numFailedTests
  total.skipped += report.numPendingTests + report.numTodoTests
  for (const { name, status, message, assertionResults } of report.testResults) {
    for (const { fullName, status: state, failureMessages = [] } of assertionResults) {
      if (state === 'failed') say('FAILED', name, fullName, failureMessages[0])
      else if (failureMessages.length > 0) say('PASSED WHEN TRIED AGAIN', name, fullName, failureMessages[0])
    }
    // A file that breaks outside its tests (on import, in a hook) has no failed test to count.
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
      say('FAILED', name, '', message)
      total.failed += 1
    }
  }
}

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`)
process.exit(total.failed > 0 ? 1 : 0)
