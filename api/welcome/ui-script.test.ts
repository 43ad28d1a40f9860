import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { UI_SCRIPT } from './ui-script.js'

const ID = '1f1a63ae-3a3c-4b43-a5a5-8a4b7d1f0c11'

/** Where the page leads from what stands behind `#`. */
const leadsTo = (hash: string): string | undefined => {
  let target: string | undefined
  runInNewContext(UI_SCRIPT, {
    document: { getElementById: () => ({ dataset: { api: 'https://host/nuxeo/api/v1' } }) },
    location: {
      hash,
      replace: (to: string) => {
        target = to
      },
    },
  })
  return target
}

test.each([
  [`#!/doc/${ID}`, `https://host/nuxeo/api/v1/id/${ID}`],
  [`#!/doc/default/${ID}`, `https://host/nuxeo/api/v1/id/${ID}`],
  ['#!/browse/default-domain/a%20b', 'https://host/nuxeo/api/v1/path/default-domain/a%20b'],
  ['', undefined],
  ['#!/tasks', undefined],
  ['#!/doc/', undefined],
])('%s leads to %s', (hash, target) => {
  expect(leadsTo(hash)).toBe(target)
})
