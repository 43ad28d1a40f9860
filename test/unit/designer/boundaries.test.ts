import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Operation } from '../../../core/automation/language/index.js'
import { operations } from '../../../core/automation/operations/index.js'
import { boundaryOf } from '../../../core/automation/planning/index.js'

const section =
  /## Where a chain commits\n([\s\S]*?)\n## /.exec(readFileSync('docs/automation.md', 'utf8'))?.[1] ?? ''

type Row = { id: string; needsNewTx: boolean; isLoop: boolean; skipsFailures: boolean }

/** What the page says of the steps that commit. */
const documented: Row[] = [...section.matchAll(/^\| `([\w.]+)`([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, id = '', condition = '', runs = '', failure = '']) => ({
    id,
    needsNewTx: condition.includes('`newTx: true`'),
    isLoop: /item of a list/.test(runs),
    skipsFailures: failure.includes('skipped'),
  }),
)

const boundary = (operation: Operation, params: { [name: string]: boolean }) =>
  boundaryOf(operation, { operation: operation.id, params })

test('the page lists all operations that commit, and how', () => {
  const committing = operations.flatMap((operation): Row[] => {
    const always = boundary(operation, {})
    const asked = boundary(operation, { newTx: true })
    if (!asked) return []
    return [
      {
        id: operation.id,
        needsNewTx: always === undefined,
        isLoop: asked === 'loop',
        skipsFailures: operation.params.rollbackGlobalOnError?.default === false,
      },
    ]
  })
  const byId = (rows: readonly Row[]) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(byId(documented)).toEqual(byId(committing))
})
