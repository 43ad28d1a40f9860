import { expect, test } from 'vitest'
import type { EventHandler } from './event-handlers-point.js'
import { subscribedSince } from './reachable-events.js'

const handlerOf = (events: string[], more: object = {}) =>
  ({ events, postCommit: true, ...more }) as EventHandler

type Told = { mark: string; content: object; isDeleted: boolean }
const told = (
  mark: string,
  content: object = { events: ['a'], postCommit: true },
  isDeleted = false,
): Told => ({
  mark,
  content,
  isDeleted,
})
const A = { events: ['a'], postCommit: true }

test.each<[string, Told[], EventHandler | undefined, string]>([
  ['of a file: always', [], handlerOf(['a']), ''],
  ['deployed: from then on', [told('3')], undefined, '3'],
  [
    'deployed again: from the first time',
    [told('3', { ...A, doctype: 'File' }), told('2', A)],
    undefined,
    '2',
  ],
  ['taken away between', [told('5'), told('4', A, true), told('3')], undefined, '5'],
  ['switched off between', [told('5'), told('4', { ...A, enabled: false }), told('3')], undefined, '5'],
  ['removed between', [told('5'), told('4', { remove: true }), told('3')], undefined, '5'],
  ['with other events before', [told('5'), told('4', { ...A, events: ['b'] })], undefined, '5'],
  ['in the transaction before', [told('5'), told('4', { ...A, postCommit: false })], undefined, '5'],
  ['over one of a file', [told('3', { ...A, doctype: 'File' })], handlerOf(['a']), ''],
  [
    'over one of a file that was switched off',
    [told('3'), told('2', { enabled: false })],
    handlerOf(['a']),
    '3',
  ],
  ['over one of a file with other events', [told('3')], handlerOf(['b']), '3'],
])('a handler %s', (_, versions, configured, mark) => {
  expect(subscribedSince(versions, { handler: handlerOf(['a']), configured })).toBe(mark)
})
