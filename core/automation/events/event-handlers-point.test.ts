import { expect, test } from 'vitest'
import { mergeContributions } from '../../platform/contributions/index.js'
import { eventHandlersPoint } from './event-handlers-point.js'

const merge = (condition: string) => {
  const text = `eventHandlers:\n  h:\n    events: documentCreated\n    chain: c\n    ${condition}\n`
  return mergeContributions([{ file: '0.yaml', text }], [eventHandlersPoint])
}

test.each([
  ['condition: Document["dc:title"].startsWith("Report")'],
  [`condition: "expr:@{Event.name == 'documentCreated'}"`],
  ['expression: "#{Document.isFolder}"'],
])('takes %s', (condition) => {
  expect(() => merge(condition)).not.toThrow()
})

test.each([
  ['condition: Document["dc:title".startsWith("Report")', '5:16 eventHandlers.h.condition: Expression '],
  ['condition: "expr:@{Event.name == }"', '5:16 eventHandlers.h.condition: Expression '],
  ['expression: 1 +', '5:17 eventHandlers.h.expression: Expression "1 +" cannot be read: '],
])('refuses %s with its place', (condition, message) => {
  expect(() => merge(condition)).toThrow(`0.yaml:${message}`)
})
