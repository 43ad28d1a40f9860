import { pgTable, text } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import type { Sql } from '../connection/index.js'
import { columnsOf, Name, named, tableOf } from './names.js'

const things = pgTable('some_things', { id: text('id'), longName: text('long_name') })

test('names are those of the database, behind an alias where there is one', () => {
  expect(`${tableOf(things)} ${columnsOf(things).longName} ${columnsOf(things, 't').longName}`).toBe(
    'some_things long_name t.long_name',
  )
})

test('names become text of a statement, and everything else stays a value', () => {
  const sent: unknown[] = []
  const sql = ((texts: TemplateStringsArray, ...values: unknown[]) =>
    sent.push([...texts], texts.raw, values)) as never
  const t = columnsOf(things, 't')
  const find = (id: string) =>
    named(
      sql as Sql,
    )`SELECT ${t.id}, ${t.longName} FROM ${tableOf(things)} t WHERE ${t.id} = ${id} OR ${new Name('x')}`
  find('a')
  find('b')
  const texts = ['SELECT t.id, t.long_name FROM some_things t WHERE t.id = ', ' OR x']
  expect(sent).toEqual([texts, texts, ['a'], texts, texts, ['b']])
})
