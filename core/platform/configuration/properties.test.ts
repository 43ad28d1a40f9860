import { expect, test } from 'vitest'
import { mergeContributions } from '../contributions/index.js'
import { configurationPoint } from './configuration-point.js'
import { defineProperty, isPropertyTrue, listProperties, propertyText } from './properties.js'

const FAST = defineProperty({
  name: 'archivolt.fast',
  aliases: ['nuxeo.fast'],
  default: 'false',
  description: 'Whether it is fast.',
})

const contributed = (text: string) => mergeContributions([{ file: 'test.yaml', text }], [configurationPoint])

test.each([
  ['nothing', '', 'false', false],
  ['its name', 'configuration: {archivolt.fast: {value: " TRUE "}}', ' TRUE ', true],
  ['an alias', 'configuration: {nuxeo.fast: {value: true}}', 'true', true],
  ['both', 'configuration: {nuxeo.fast: {value: true}, archivolt.fast: {value: no}}', 'no', false],
])('a property with %s contributed', (_, text, value, isTrue) => {
  const contributions = contributed(text)
  expect([propertyText(contributions, FAST), isPropertyTrue(contributions, FAST)]).toEqual([value, isTrue])
})

test('all are listed: those that are known, and those that are only contributed', () => {
  const contributions = contributed('configuration: {other: {value: 7}, nuxeo.fast: {value: true}}')
  expect(listProperties(contributions, [FAST])).toEqual([
    { ...FAST, value: 'true', isContributed: true },
    { name: 'other', aliases: [], value: '7', default: null, description: null, isContributed: true },
  ])
  expect(listProperties(contributed(''), [FAST])).toEqual([{ ...FAST, value: 'false', isContributed: false }])
})
