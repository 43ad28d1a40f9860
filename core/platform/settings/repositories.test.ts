import { expect, test } from 'vitest'
import { parseRepositories } from './repositories.js'

const MAIN = 'postgres://u:p@host:5432/archivolt?sslmode=require'

test.each([
  ['', []],
  [' , ', []],
  ['archive', [['archive', 'postgres://u:p@host:5432/archivolt_archive?sslmode=require']]],
  [
    'old-ones, far=postgres://far/x',
    [
      ['old-ones', 'postgres://u:p@host:5432/archivolt_old_ones?sslmode=require'],
      ['far', 'postgres://far/x'],
    ],
  ],
])('%j', (text, expected) => {
  expect(parseRepositories(text, MAIN).map(({ name, databaseUrl }) => [name, databaseUrl])).toEqual(expected)
})

test.each([
  'Archive',
  '1st',
  'a/b',
  'default',
  'a,a',
  'a=mysql://x/y',
  'a=postgres://x/y,b=postgres://x/y',
  `x=${MAIN}`,
])('%s is refused by the name of its variable', (text) => {
  expect(() => parseRepositories(text, MAIN)).toThrow(/^ARCHIVOLT_REPOSITORIES: /)
})
