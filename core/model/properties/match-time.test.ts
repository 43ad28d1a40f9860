import { describe, expect, test } from 'vitest'
import { computingTime } from '../../../test/support/computing-time.js'
import { isMatch } from '../../platform/patterns/index.js'
import type { Field, Schema } from '../content-model/index.js'
import { brokenConstraints } from './constraints.js'
import { validateProperties } from './index.js'
import { schemasNamed } from './model.fixture.js'

const amount = schemasNamed('bounded')[0]!.fields.get('amount')!
const text = (name: string, pattern: string, isList = false): Field => ({
  ...amount,
  name,
  isList,
  type: 'string',
  constraints: { pattern },
})
const schemaOf = (fields: readonly Field[]): Schema => ({
  name: 'slow',
  prefix: 'slow',
  hasPrefix: true,
  fields: new Map(fields.map((field) => [field.name, field])),
})

/** Microseconds of the processor for eight matches. */
const timeOf = (value: string): number => {
  const start = process.cpuUsage()
  for (let round = 0; round < 8; round++) isMatch('(a+)+', value)
  return process.cpuUsage(start).user
}

/**
 * A text that `(a+)+` takes some ms to refuse: each letter doubles it. The least of some measurements counts: the first
 * matches are slower, as the engine compiles what is matched often, and other threads of the process count as well.
 */
const tuned = (() => {
  for (let letters = 12; ; letters++) {
    const value = `${'a'.repeat(letters)}!`
    if (Math.min(timeOf(value), timeOf(value), timeOf(value)) > 24_000) return value
  }
})()

describe('a pattern that backtracks', () => {
  test('is matched where it is quick, and stopped where it is not', () => {
    const slow = text('one', '(a+)+')
    expect(brokenConstraints(slow, 'aaa')).toEqual([])
    expect(brokenConstraints(slow, 'ab')).toHaveLength(1)
    expect(() => brokenConstraints(slow, `${'a'.repeat(60)}!`)).toThrow(
      /longer than 100 ms to match.*\(a\+\)\+/,
    )
    expect(brokenConstraints(slow, 'aaa')).toEqual([])
  })

  test('has one time for all values of a document, in lists and beside each other', () => {
    const fields = [text('list', '(a+)+', true), text('other', '(a|a)+')]
    // Spaces make them differ, not quicker.
    const values = Array.from({ length: 1000 }, (_, index) => tuned + ' '.repeat(index))
    const properties = { 'slow:list': values, 'slow:other': tuned }
    const took = computingTime(() =>
      expect(() => validateProperties(properties, [schemaOf(fields)])).toThrow('100 ms'),
    )
    // Each value alone would be allowed; all of them would take seconds.
    expect(took).toBeLessThan(1500)
  })

  test('has one time for all documents of a transaction', () => {
    const schemas = [schemaOf([text('list', '(a+)+', true)])]
    const properties = { 'slow:list': Array(3).fill(tuned) }
    const transaction = {}
    expect(validateProperties(properties, schemas, { transaction })).toHaveLength(3)
    expect(() => {
      for (let document = 0; document < 2_000; document++)
        validateProperties(properties, schemas, { transaction })
    }).toThrow('to match')
    // The document that was stopped may have left some milliseconds, which the next ones take.
    const stopped = () => validateProperties(properties, schemas, { transaction })
    for (let document = 0; document < 10; document++) expect(stopped).toThrow('to match')
    expect(stopped).toThrow('longer than 1 ms')
    expect(validateProperties(properties, schemas, { transaction: {} })).toHaveLength(3)
  })

  test('leaves long lists of quick values alone', () => {
    const schemas = [schemaOf([text('list', '[a-z]+-\\d{3}', true)])]
    const values = Array.from({ length: 20_000 }, (_, index) => `code-${100 + (index % 900)}`)
    expect(validateProperties({ 'slow:list': values }, schemas)).toEqual([])
  })
})
