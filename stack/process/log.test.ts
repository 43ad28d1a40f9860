import { expect, test } from 'vitest'
import { lastWords, warningOf } from './log.js'

test.each([
  ['information', '{"level":30,"msg":"listening"}', undefined],
  ['a warning', '{"level":40,"msg":"slow"}', 'slow'],
  ['an error with its cause', '{"level":50,"msg":"failed","err":{"message":"no route"}}', 'failed: no route'],
  ['an error that repeats itself', '{"level":50,"msg":"no route","err":{"message":"no route"}}', 'no route'],
  [
    'a warning with what a terminal obeys',
    String.raw`{"level":40,"msg":"a\n12:00 failed\u001b[2J\u200b"}`,
    String.raw`a${'\n'}    12:00 failed\u001b[2J\u200b`,
  ],
  [
    'a warning of a run',
    '{"level":40,"msg":"an item failed","workflowId":"close-1","chain":"close","position":3}',
    'an item failed (chain close, run close-1)',
  ],
  [
    'a handler that failed',
    '{"level":50,"msg":"a listener failed","listener":"eventHandlers/close","documentId":"d1","err":{"message":"no"}}',
    'a listener failed: no (listener eventHandlers/close, document d1)',
  ],
  ['a text', 'level 50', undefined],
  ['half a line', '{"level":50,"msg":"fai', undefined],
])('shows of %s only what warns', (_, line, expected) => {
  expect(warningOf(line)).toBe(expected)
})

test.each([
  [
    'its last error',
    '{"level":50,"msg":"types.yaml:3:5: unknown facet"}\n{"level":30,"msg":"bye"}\n',
    'types.yaml:3:5: unknown facet',
  ],
  [
    'what it says itself behind its log',
    '{"level":40,"msg":"no setting is called X"}\nNo database answers\n',
    'No database answers',
  ],
  ['its last lines', 'one\ntwo\n\n', 'one\ntwo'],
  ['that there are none', '\n', 'it wrote no output'],
])('the last words of a server are %s', (_, output, expected) => {
  expect(lastWords(output)).toBe(expected)
})
