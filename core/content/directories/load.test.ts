import { describe, expect, test } from 'vitest'
import type { Field } from '../../model/content-model/index.js'
import { type DataFile, entriesOfCsv, isDue, loadDirectories } from './load.js'
import type { Directory, DirectoryEntry, Loading } from './types.js'

const field = (name: string, type: Field['type'] = 'string', more: Partial<Field> = {}): [string, Field] => [
  name,
  { name, type, isList: false, fields: [], constraints: {}, ...more },
]

const directory: Directory = {
  name: 'staff',
  schema: {
    name: 'staff',
    prefix: 'staff',
    hasPrefix: false,
    fields: new Map([
      field('id'),
      field('rank', 'long', { default: 3 }),
      field('teams', 'string', { isList: true }),
      field('since', 'date'),
    ]),
  },
  idField: 'id',
  autoincrementIdField: false,
  parentDirectory: null,
  types: [],
  passwordField: null,
  passwordHashAlgorithm: null,
  isReadOnly: false,
  querySizeLimit: 0,
  cache: { seconds: 0, entries: 0 },
  filters: {},
  references: new Map(),
  deleteConstraints: [],
  sources: [],
  permissions: null,
  backend: 'entries',
}

const file = (more: Partial<DataFile> = {}): DataFile => ({
  path: 'staff.csv',
  separator: ',',
  loading: 'skip_duplicate',
  creation: 'on_missing_columns',
  ...more,
})

describe('when a data file is loaded', () => {
  test.each<[Partial<DataFile>, { never: boolean; same: boolean; changed: boolean }]>([
    [{ loading: 'skip_duplicate' }, { never: true, same: false, changed: true }],
    [{ loading: 'update_duplicate' }, { never: true, same: false, changed: true }],
    [{ loading: 'reject_duplicate' }, { never: true, same: false, changed: true }],
    [{ loading: 'never_load' }, { never: false, same: false, changed: false }],
    [{ loading: 'legacy' }, { never: true, same: false, changed: false }],
    [
      { loading: 'legacy', creation: 'never' },
      { never: false, same: false, changed: false },
    ],
    [{ creation: 'always' }, { never: true, same: true, changed: true }],
    [
      { creation: 'always', loading: 'never_load' },
      { never: false, same: false, changed: false },
    ],
  ])('%j', (more, expected) => {
    expect({
      never: isDue(file(more), 'a', undefined),
      same: isDue(file(more), 'a', 'a'),
      changed: isDue(file(more), 'b', 'a'),
    }).toEqual(expected)
  })
})

describe('the entries of a file', () => {
  test('have the types of their fields, and its defaults', async () => {
    expect(await entriesOfCsv(directory, file(), 'id,rank,teams,since\na,7,x|y,2020-01-02\nb,,,\n')).toEqual([
      { id: 'a', properties: { id: 'a', rank: 7, teams: ['x', 'y'], since: '2020-01-02T00:00:00.000Z' } },
      { id: 'b', properties: { id: 'b', rank: 3 } },
    ])
  })

  test.each([
    ['id,nothing\na,b', /staff\.csv: schema 'staff' has no field 'nothing'/],
    ['id,rank\na,many', /staff\.csv: record 1: .*rank/],
    ['id,rank\na,1\n,2', /staff\.csv: record 2: .*needs an id/],
    ['id\n"a', /staff\.csv: line 2: a quote is not closed/],
  ])('%j is refused', async (text, message) => {
    await expect(entriesOfCsv(directory, file(), text)).rejects.toThrow(message)
  })
})

describe('loading', () => {
  const load = async (more: Partial<DataFile>, known: readonly string[]) => {
    const calls: { entries: readonly DirectoryEntry[]; loading: Loading }[] = []
    const remembered: string[] = []
    await loadDirectories({
      registry: new Map([['staff', directory]]),
      files: new Map([['staff', file(more)]]),
      readFile: async () => 'id\na\nb\n',
      loader: {
        loaded: async () => new Map(),
        load: async (_, entries, loading) => {
          calls.push({ entries, loading })
          return { added: entries.filter(({ id }) => !known.includes(id)).length }
        },
        remember: async (loaded) => {
          remembered.push(...loaded.keys())
        },
      },
    })
    return { calls, remembered }
  }

  test.each<[Partial<DataFile>, Loading]>([
    [{}, { onDuplicate: 'skip', isReplacing: false }],
    [{ loading: 'update_duplicate' }, { onDuplicate: 'update', isReplacing: false }],
    [{ creation: 'always' }, { onDuplicate: 'skip', isReplacing: true }],
  ])('%j', async (more, loading) => {
    const { calls, remembered } = await load(more, [])
    expect(calls.map((call) => [call.entries.length, call.loading])).toEqual([[2, loading]])
    expect(remembered).toEqual(['staff'])
  })

  test('entries that may not be there already end it', async () => {
    await expect(load({ loading: 'reject_duplicate' }, ['a'])).rejects.toThrow(/1 entries already exist/)
    await expect(load({ loading: 'reject_duplicate' }, [])).resolves.toBeDefined()
  })
})
