import { expect, test } from 'vitest'
import { isArchivoltError } from '../../errors/index.js'
import { partsOfYaml } from './parts-of-yaml.js'

const POINTS = ['chains', 'eventHandlers']

test('each part stands where it stands in the file', () => {
  const text = `# two chains
chains:
  one:
  - Log:
      message: a
  two: {operations: [Log]}
---
eventHandlers:
  h:
    events: x
`
  expect(partsOfYaml(text, POINTS)).toEqual([
    { point: 'chains', name: 'one', text: '\n\n\n  - Log:\n      message: a\n' },
    { point: 'chains', name: 'two', text: '\n\n\n\n\n       {operations: [Log]}\n' },
    { point: 'eventHandlers', name: 'h', text: '\n\n\n\n\n\n\n\n\n    events: x\n' },
  ])
})

test.each([
  ['chain:\n  a: [Log]\n', '1:1 no extension point "chain", did you mean "chains"?'],
  ['chains:\n- Log\n', '2:1 expected a map of contributions by name: chains: {name: …}'],
  ['- Log\n', '1:1 expected extension points with contributions by name, such as chains: {demo: […]}'],
  ['chains: {a: [}\n', expect.stringMatching(/^1:14 /)],
  ['chains: {}\n', 'it contributes nothing'],
  ['chains:\n  a: [Log]\n---\nchains:\n  a: [Log]\n', 'chains/a is contributed twice'],
])('%j is refused', (text, message) => {
  const report = () => {
    try {
      return partsOfYaml(text, POINTS)
    } catch (error) {
      if (!isArchivoltError(error)) throw error
      const [detail] = error.details
      return `${detail?.line === undefined ? '' : `${detail.line}:${detail.column} `}${detail?.message}`
    }
  }
  expect(report()).toEqual(message)
})

test.each([
  ['more parts than are deployed together', 'chains:\n  ', (index: number) => `c${index}: [Log]\n  `],
  [
    'parts that stand far from the beginning',
    `${'\n'.repeat(100_000)}chains:\n  `,
    (index: number) => (index < 900 ? `c${index}: [Log]\n  ` : ''),
  ],
])('%s are too large', (_, head, part) => {
  const text = head + Array.from({ length: 1_001 }, (_, index) => part(index)).join('')
  expect(() => partsOfYaml(text, POINTS)).toThrow(expect.objectContaining({ code: 'tooLarge' }))
})

test('as many as are deployed together are read', () => {
  const text = `chains:\n${Array.from({ length: 1_000 }, (_, index) => `  c${index}: [Log]\n`).join('')}`
  expect(partsOfYaml(text, POINTS)).toHaveLength(1_000)
})
