import { createConfig, lint } from '@redocly/openapi-core'

// What `redocly lint` finds in the description at the path that is given, as JSON.

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // The tests serve it at localhost.
    'no-server-example.com': 'off',
    // Addresses of the reference platform, of which the fixed word is meant: `/upload/new/{handler}`.
    'no-ambiguous-paths': 'off',
  },
})
const problems = await lint({ ref: process.argv[2], config })
const placeOf = ({ location: [{ pointer } = {}] }) => pointer ?? ''
console.log(
  JSON.stringify(problems.map((problem) => `${placeOf(problem)} ${problem.ruleId}: ${problem.message}`)),
)
