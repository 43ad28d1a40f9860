import { expect, test } from 'vitest'
import type { Principal } from '../../access/security/index.js'
import type { ContentModel } from '../../model/content-model/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { mergeContributions } from '../../platform/contributions/index.js'
import type { Session } from '../documents/index.js'
import { acceptedByFilters } from './accepts.js'
import { filtersPoint } from './filters-point.js'

const filters = {
  files: { rules: [{ types: ['File', 'Note'] }] },
  foldersOfNotes: { rules: [{ facets: ['Folderish'], schemas: ['note'] }] },
  noFolders: { rules: [{ grant: false, facets: ['Folderish'] }] },
  guests: { rules: [{ groups: ['guests'] }] },
  notesButOfGuests: { rules: [{ types: ['Note'] }, { grant: false, groups: ['guests'] }] },
  either: { rules: [{ types: ['Note'] }, { groups: ['guests'] }] },
  titled: { rules: [{ conditions: ['Document.title == "x"', 'Document.title == "y"'] }] },
  broken: { rules: [{ conditions: ['Document.title'] }] },
}
const contributions = mergeContributions(
  [{ file: 'a.yaml', text: JSON.stringify({ filters }) }],
  [filtersPoint],
)
const model = {
  facetsOf: (type: string) => (type === 'Folder' ? ['Folderish'] : []),
  schemasOf: (type: string) => (type === 'Note' ? [{ name: 'note' }] : []),
  types: new Map(),
} as unknown as ContentModel

const ofTitle = (title: string) => async (source: string) =>
  source.includes('==') ? source.includes(`"${title}"`) : title

const sessionOf = (groups: readonly string[], title = 'x') =>
  ({
    ...{ model, contributions, now: new Date(0) },
    principal: { name: 'ann', groups, isAdministrator: false } as unknown as Principal,
    expressions: { evaluate: ofTitle(title) },
  }) as unknown as Session

const document = (type: string) => ({ type, facets: [], properties: {} }) as unknown as DocumentRecord

test.each<[string, string, readonly string[], readonly string[], boolean]>([
  ['one of the types', 'Note', [], ['files'], true],
  ['another type', 'Folder', [], ['files'], false],
  ['a facet without the schema that is asked for, too', 'Folder', [], ['foldersOfNotes'], false],
  ['a facet that is denied', 'Folder', [], ['noFolders'], false],
  ['nothing that is denied, where nothing is granted', 'Note', [], ['noFolders'], true],
  ['a member', 'Note', ['guests'], ['guests'], true],
  ['no member', 'Note', [], ['guests'], false],
  ['one that a rule grants and another denies', 'Note', ['guests'], ['notesButOfGuests'], false],
  ['the second of two rules', 'Folder', ['guests'], ['either'], true],
  ['all of several filters', 'Note', ['guests'], ['files', 'guests'], true],
  ['one of several filters alone', 'Note', [], ['files', 'guests'], false],
  ['one of the conditions', 'Note', [], ['titled'], true],
  ['no filters', 'Folder', [], [], true],
  ['a filter that is not deployed any more', 'Note', [], ['gone'], false],
])('%s', async (_case, type, groups, names, expected) => {
  expect(await acceptedByFilters(sessionOf(groups), document(type), names)).toBe(expected)
})

test('conditions of which none is true', async () => {
  expect(await acceptedByFilters(sessionOf([], 'z'), document('Note'), ['titled'])).toBe(false)
})

test('a condition that is no truth value is refused by its name', async () => {
  await expect(acceptedByFilters(sessionOf([]), document('Note'), ['broken'])).rejects.toThrow(
    'filters/broken.conditions[0]: must evaluate to true or false',
  )
})

test.each([
  ['without rules', { rules: [] }],
  ['with a condition that does not parse', { rules: [{ conditions: ['1 +'] }] }],
])('a filter %s is refused', (_case, filter) => {
  const text = JSON.stringify({ filters: { wrong: filter } })
  expect(() => mergeContributions([{ file: 'b.yaml', text }], [filtersPoint])).toThrow()
})
