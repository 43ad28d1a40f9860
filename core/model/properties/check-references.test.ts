import { expect, test } from 'vitest'
import { isArchivoltError } from '../../platform/errors/index.js'
import { type ReferenceLookup, requireKnownReferences } from './check-references.js'
import { schemasNamed } from './model.fixture.js'
import type { Properties } from './types.js'

const schemas = schemasNamed('linked', 'strict')
const asked: string[] = []
const lookup: ReferenceLookup = async ({ kind }, values) => {
  asked.push(`${kind}: ${values.join()}`)
  return new Set(values.filter((value) => value.startsWith('ok')))
}

const refusalOf = async (properties: Properties): Promise<string[]> => {
  asked.length = 0
  try {
    await requireKnownReferences(properties, schemas, { lookup, isPartial: true })
    return []
  } catch (error) {
    if (!isArchivoltError(error) || error.status !== 422) throw error
    return error.details.map(({ field, message }) => `${field}: ${message}`)
  }
}

test.each<[Properties, string[]]>([
  [{ 'l:owner': 'ok' }, []],
  [{ 'l:owner': null, 'l:topics': null, 'l:rows': [{ to: null }] }, []],
  [{ 'l:owner': 'no' }, ['l:owner: This value is no user']],
  [{ 'l:anyone': 'no' }, ['l:anyone: This value is no user or group']],
  [{ 'l:topics': ['ok', 'no', 'ok2'] }, ['l:topics/1: This value is not an entry of topic']],
  [{ 'l:rows': [{ to: 'ok' }, { to: 'no' }] }, ['l:rows/1/to: This value refers to no document']],
  [{ 'l:loose': 'no' }, []],
])('%j is refused for %j', async (properties, refusals) => {
  expect(await refusalOf(properties)).toEqual(refusals)
})

test('other violations are reported in the same answer', async () => {
  expect(await refusalOf({ 'l:owner': 'nobody', 's:title': null })).toEqual([
    'l:owner: This value must have at most 5 characters',
    's:title: This value is required',
    'l:owner: This value is no user',
  ])
})

test('each kind is asked for once, and nothing when there are no references', async () => {
  await refusalOf({ 'l:topics': ['ok', 'ok', 'ok2'], 'l:rows': [{ to: 'ok' }, { to: 'ok3' }] })
  expect(asked).toEqual(['directory: ok,ok2', 'document: ok,ok3'])
  await refusalOf({ 's:title': null, 'l:loose': 'no' })
  expect(asked).toEqual([])
})
