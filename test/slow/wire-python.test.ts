import { beforeAll, expect, test } from 'vitest'
import { createWire } from '../integration/support/wire-support.js'
import { ADMIN_PASSWORD } from '../support/platform.js'
import { type PythonTest, pythonTests, runPythonTests } from '../wire-python/python-client.js'

const wire = await createWire()
let results: PythonTest[] = []

beforeAll(async () => {
  results = await runPythonTests({ url: wire.baseURL, password: ADMIN_PASSWORD })
})

test.each(await pythonTests())('the Python client: %s', (name) => {
  const result = results.find((candidate) => candidate.name === name)
  expect(result ?? { detail: 'The test did not run' }).toEqual({ name, outcome: 'passed', detail: null })
})
