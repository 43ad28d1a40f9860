import { describe, expect, it } from 'vitest'
import { buildContentModel, contentModelPoints } from '../../../model/content-model/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { mergeContributions } from '../../../platform/contributions/index.js'
import { buildVersioningRules, versioningPoints } from './index.js'

const MODEL = `
lifecycles:
  default: { initial: draft, states: { draft: [finish], done: [] }, transitions: { finish: done } }
schemas:
  file: { fields: { content: blob } }
facets:
  Versionable:
  SystemDocument:
types:
  Document: { abstract: true, lifecycle: default }
  Folder: {}
  File: { schemas: [file], facets: [Versionable] }
  Contract: { extends: File }
  Note: { facets: [Versionable] }
`

const rulesOf = (text: string) => {
  const contributions = mergeContributions(
    [{ file: 'test.yaml', text: MODEL + text }],
    [...contentModelPoints, ...versioningPoints],
  )
  return buildVersioningRules(contributions, buildContentModel(contributions))
}

const marks = (type: string, lifecycleState = 'draft', facets: string[] = []) => ({
  type,
  lifecycleState,
  facets,
})

const by = (username: string, document: Partial<DocumentRecord>) => {
  const current = { facets: [], lifecycleState: 'draft', properties: {}, ...document } as DocumentRecord
  return { username, previous: current, current, isTrue: async (condition: string) => condition === 'yes' }
}

const made = (type: string) => ({ ...by('ann', { type }), previous: null })

describe('policies', () => {
  const rules = rulesOf(`
versioningFilters:
  system: { facets: [SystemDocument] }
  note: { types: [Note] }
  file: { schemas: [file] }
  done: { states: [done] }
  another: { contributorChanged: true }
  yes: { types: [Note], condition: yes }
  no: { condition: no }
versioningPolicies:
  never: { increment: NONE, order: 1, filters: [system] }
  not-true: { increment: MAJOR, order: 2, filters: [note, no] }
  after-a-condition: { increment: MAJOR, order: 11, filters: [yes] }
  late: { increment: MAJOR, order: 90, filters: [note] }
  true-before: { increment: MAJOR, beforeUpdate: true, order: 3, filters: [yes, done] }
  early: { increment: MINOR, order: 10, filters: [note] }
  finished: { increment: MAJOR, order: 20, filters: [file, done] }
  taken-over: { increment: MINOR, beforeUpdate: true, order: 30, filters: [file, another] }
`)

  it.each<[string, 'before' | 'after', ReturnType<typeof by>, string | undefined]>([
    ['the lowest order decides', 'after', by('ann', { type: 'Note' }), 'MINOR'],
    ['NONE decides too', 'after', by('ann', { type: 'Note', facets: ['SystemDocument'] }), 'NONE'],
    ['each has its phase', 'before', by('ann', { type: 'Note' }), undefined],
    ['a condition must hold, too', 'before', by('ann', { type: 'Note', lifecycleState: 'done' }), 'MAJOR'],
    ['all filters must hold', 'after', by('ann', { type: 'File' }), undefined],
    ['all filters hold', 'after', by('ann', { type: 'File', lifecycleState: 'done' }), 'MAJOR'],
    ['types below count', 'after', by('ann', { type: 'Contract', lifecycleState: 'done' }), 'MAJOR'],
    [
      'somebody else than before',
      'before',
      by('ann', { type: 'File', properties: { 'dc:lastContributor': 'ben' } }),
      'MINOR',
    ],
    [
      'the same as before',
      'before',
      by('ann', { type: 'File', properties: { 'dc:lastContributor': 'ann' } }),
      undefined,
    ],
    ['nobody before', 'before', by('ann', { type: 'File' }), undefined],
    [
      'what is not versionable',
      'after',
      by('ann', { type: 'Folder', facets: ['SystemDocument'] }),
      undefined,
    ],
  ])('%s', async (_title, phase, change, expected) => {
    expect(await rules.policy(phase, change)).toBe(expected)
  })

  it('say where numbers begin', async () => {
    const { initialVersion } = rulesOf(`
versioningFilters: { note: { types: [Note] }, no: { condition: no } }
versioningPolicies:
  notes: { order: 5, filters: [note], initialState: { major: 1, minor: 2 } }
  not-true: { order: 1, filters: [no], initialState: { major: 9 } }
  all: { order: 10, initialState: { minor: 1 } }
`)
    expect(await initialVersion(made('Note'))).toEqual({ majorVersion: 1, minorVersion: 2 })
    expect(await initialVersion(made('File'))).toEqual({ majorVersion: 0, minorVersion: 1 })
    expect(await rulesOf('').initialVersion(made('Note'))).toEqual({ majorVersion: 0, minorVersion: 0 })
  })
})

describe('restrictions', () => {
  const rules = rulesOf(`
versioningRestrictions:
  File: { options: { done: [NONE], '*': [NONE, MINOR] } }
  Note: { options: { draft: [NONE, MAJOR] } }
`)

  it.each<[string, ReturnType<typeof marks>, string[]]>([
    ['of the state', marks('File', 'done'), ['NONE']],
    ['of any other state', marks('File'), ['NONE', 'MINOR']],
    ['of the type above', marks('Contract', 'done'), ['NONE']],
    ['that leave a state out', marks('Note', 'done'), ['NONE', 'MINOR', 'MAJOR']],
    ['of what is not versionable', marks('Folder'), ['NONE']],
    ['of a document with the facet', marks('Folder', 'draft', ['Versionable']), ['NONE', 'MINOR', 'MAJOR']],
  ])('%s', (_title, document, expected) => {
    expect(rules.options(document)).toEqual(expected)
  })
})

it.each<[string, string, RegExp]>([
  ['an unknown type', 'versioningRestrictions: { Fiel: { options: {} } }', /versioningRestrictions\.Fiel/],
  ['an unknown filter', 'versioningPolicies: { p: { filters: [nothing] } }', /nothing/],
  ['an unknown increment', 'versioningPolicies: { p: { increment: HUGE } }', /increment/],
  ['an unknown facet', 'versioningFilters: { f: { facets: [Nothing] } }', /Nothing/],
  ['an empty condition', "versioningFilters: { f: { condition: '' } }", /condition/],
  ['a negative number', 'versioningPolicies: { p: { initialState: { major: -1 } } }', /major/],
])('%s is refused', (_title, text, message) => {
  let thrown: unknown
  try {
    rulesOf(text)
  } catch (error) {
    thrown = error
  }
  expect(JSON.stringify({ ...(thrown as object), message: String(thrown) })).toMatch(message)
  expect(thrown).toMatchObject({ code: 'invalid' })
})
