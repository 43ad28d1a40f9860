import { expect, test } from 'vitest'
import { callsOfBody } from './set.js'

const POINTS = ['chains', 'eventHandlers', 'scripts'].map((point) => ({ point }))

const body = (...contributions: { name?: string; text: string; format?: string }[]): string =>
  JSON.stringify({ contributions })

test.each([
  ['<!-- <component> --><chain/>', 'chains'],
  ['<?xml version="1.0"?>\n<!-- a --><!----><scriptedOperation id="x"/>', 'scripts'],
  ['<!-- never closed <scriptedOperation/>', 'chains'],
  ['no element', 'chains'],
])('%j is what its first element says', (text, point) => {
  expect(callsOfBody(body({ name: 'x', format: 'xml', text }), 'json', POINTS)).toMatchObject([{ point }])
})

test.each([
  ['comments that are opened only', '<!--'.repeat(65_000)],
  ['many comments', `${'<!---->'.repeat(37_000)}<chain/>`],
  ['angle brackets', '<'.repeat(260_000)],
])('%s are looked through once', (_, text) => {
  const start = performance.now()
  callsOfBody(body({ name: 'x', format: 'xml', text }), 'json', POINTS)
  expect(performance.now() - start).toBeLessThan(5_000)
})

test('the parts of all files count', () => {
  const file = (from: number) => ({
    text: `chains:\n${Array.from({ length: 600 }, (_, index) => `  c${from + index}: [Log]\n`).join('')}`,
  })
  expect(callsOfBody(body(file(0)), 'json', POINTS)).toHaveLength(600)
  expect(() => callsOfBody(body(file(0), file(600)), 'json', POINTS)).toThrow(
    expect.objectContaining({ code: 'tooLarge' }),
  )
})

test('XML of too many parts is too large', () => {
  const chains = Array.from({ length: 1_001 }, (_, index) => `<chain id="c${index}"/>`).join('')
  const text = `<component><extension target="x" point="chains">${chains}</extension></component>`
  expect(() => callsOfBody(text, 'xml', POINTS)).toThrow(expect.objectContaining({ code: 'tooLarge' }))
})

test('a contribution that occurs twice is refused', () => {
  const one = { name: 'x', text: '- Log\n' }
  expect(() => callsOfBody(body(one, one), 'json', POINTS)).toThrow(/chains\/x occurs twice/)
})
