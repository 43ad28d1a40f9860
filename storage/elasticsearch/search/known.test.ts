import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Principal } from '../../../core/access/security/index.js'
import type { IndexFeed, QueryScope } from '../../../core/content/stores/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import { NO_ADDITIONS } from '../../../core/search/index-shape/index.js'
import { createAvailability } from './availability.js'
import { createChoice } from './choose.js'
import { shareSearches } from './sharing.js'

/** A choice whose index stands at a position, with what it was asked so far. */
const choiceAt = (ignored: number) => {
  const state = { position: '1-1', ignored, looks: 0 }
  const asked: string[] = []
  const feed = {
    readiness: async () => {
      state.looks += 1
      return { live: 'documents', isLate: false, isRegrouping: false, position: state.position }
    },
    scopesOf: async () => ({ documents: [1], versions: [1] }),
    wordsOf: async (texts: string[]) => {
      asked.push(...texts)
      return new Map(texts.map((text) => [text, { words: [text], stems: [] }]))
    },
  } as unknown as IndexFeed
  const availability = createAvailability(feed, {
    isEnabled: () => true,
    isAlive: async () => true,
    logger: pino({ level: 'silent' }),
  })
  const count = async () => {
    asked.push('count')
    return { count: state.ignored }
  }
  const shapes = { of: async () => NO_ADDITIONS }
  const sides = { client: { count } as never, feed, availability }
  const parts = { ...sides, sharing: shareSearches(), shapes, browsed: async () => [] }
  const search = () => {
    const principal = { name: 'ann', groups: [], isAdministrator: false } as unknown as Principal
    const scope: QueryScope = { model: sampleModel(), now: new Date(0), principal }
    return createChoice(parts, false).asked({
      query: parseNxql("SELECT * FROM File WHERE ecm:fulltext = 'apple'"),
      scope,
      compile: ({ words }) => ({ incomplete: { exists: { field: '_ignored' } }, words: [...words.keys()] }),
      ask: async (plan) => plan.words,
    })
  }
  return { state, asked, search }
}

test('words, and that nothing was left out, are asked once until the index is notified of more', async () => {
  const { state, asked, search } = choiceAt(0)
  expect([await search(), await search()]).toEqual([{ result: ['apple'] }, { result: ['apple'] }])
  expect(asked).toEqual(['apple', 'count'])
  state.position = '2-1'
  await search()
  expect(asked).toEqual(['apple', 'count', 'apple', 'count'])
})

test('what was left out is looked for each time', async () => {
  const { state, asked, search } = choiceAt(1)
  const reason = 'values that the query needs are not in the index'
  expect([await search(), await search()]).toEqual([{ reason }, { reason }])
  state.ignored = 0
  expect(await search()).toEqual({ result: ['apple'] })
  expect(asked).toEqual(['apple', 'count', 'count', 'count'])
})

test('searches that wait at the same time share a look at the index, which began after they were asked', async () => {
  const { state, search } = choiceAt(0)
  await Promise.all([search(), search(), search(), search()])
  expect(state.looks).toBe(2)
})
