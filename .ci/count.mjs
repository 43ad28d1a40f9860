/** Adds up the JSON reports of test runs: prints `N passed, N failed` and fails when anything failed. */
import { existsSync, readFileSync } from 'node:fs'

const [failedChecks, ...reports] = process.argv.slice(2)
const total = { passed: 0, failed: Number(failedChecks), skipped: 0 }

for (const file of reports) {
  if (!existsSync(file)) {
    total.failed += 1
    continue
  }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  total.passed += report.numPassedTests
  total.failed += report.numFailedTests
  total.skipped += report.numPendingTests + report.numTodoTests
  // A file that breaks outside its tests (on import, in a hook) has no failed test to count.
  for (const { status, assertionResults } of report.testResults) {
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) total.failed += 1
  }
}

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`)
process.exit(total.failed > 0 ? 1 : 0)
