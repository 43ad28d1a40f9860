import { expect, test } from 'vitest'
import { statementName } from './trace-statements.js'

test.each([
  ['SELECT id, name\n  FROM documents WHERE id = $1', 'SELECT documents'],
  ['insert into "audit" (id) values ($1)', 'INSERT audit'],
  ['  UPDATE users SET x = $1', 'UPDATE users'],
  ['WITH page AS (SELECT 1) DELETE FROM outbox', 'WITH outbox'],
  ['SELECT pg_advisory_xact_lock($1)', 'SELECT'],
  ['', 'SQL'],
])('%j is named %s', (text, name) => {
  expect(statementName(text)).toBe(name)
})
