import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { operations } from '../../core/automation/operations/index.js'
import { CATALOGUE } from '../support/catalogue.js'

const FOLDER = new URL('../integration/', import.meta.url)

const GROUPS = [
  'Fetch',
  'Files',
  'Conversion',
  'Execution Context',
  'Push & Pop',
  'Execution Flow',
  'User Interface',
  'Scripting',
  'Users & Groups',
  'Services',
  'Notification',
  'Business',
]

const isRegistered = (id: string): boolean =>
  operations.some((operation) => operation.id === id || operation.aliases?.includes(id))

describe('the catalogue of operations', () => {
  test.each([...CATALOGUE])('%s', (id, row) => {
    expect(isRegistered(id)).toBe('test' in row)
    if (!('test' in row)) return
    expect(readFileSync(new URL(row.test, FOLDER), 'utf8')).toContain(row.as ?? id)
  })

  test('has no operation of these groups without a test', () => {
    const missing = operations.filter(({ id, category }) => GROUPS.includes(category) && !CATALOGUE.has(id))
    expect(missing.map(({ id }) => id)).toEqual([])
  })
})
