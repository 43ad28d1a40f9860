import { errors } from '@elastic/elasticsearch'
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

const feed = {
  readiness: async () => ({ live: 'documents', isLate: false, isRegrouping: false }),
  scopesOf: async () => ({ documents: [1], versions: [1] }),
  wordsOf: async () => new Map(),
} as unknown as IndexFeed

const shapes = { of: async () => NO_ADDITIONS }

const choiceOf = ({ isAlive = true }: { isAlive?: boolean } = {}) => {
  const availability = createAvailability(feed, {
    isEnabled: () => true,
    isAlive: async () => isAlive,
    logger: pino({ level: 'silent' }),
  })
  const client = { count: async () => ({ count: 0 }) } as never
  return createChoice(
    { client, feed, availability, sharing: shareSearches(), shapes, browsed: async () => [] },
    false,
  )
}

const asking = (choice: ReturnType<typeof choiceOf>, name: string, ask: () => Promise<string>) => {
  const principal = { name, groups: [], isAdministrator: false } as unknown as Principal
  const scope: QueryScope = { model: sampleModel(), now: new Date(0), principal }
  const query = parseNxql('SELECT * FROM File')
  return choice.asked({ query, scope, compile: () => ({ incomplete: undefined }), ask })
}

const costly = async (): Promise<string> => {
  throw new errors.TimeoutError('Request timed out')
}

test('a search that is too much for the engine takes it away from nobody', async () => {
  const choice = choiceOf()
  expect(await asking(choice, 'eve', costly)).toEqual({ reason: 'the search engine does not answer' })
  expect(await asking(choice, 'bob', async () => 'found')).toEqual({ result: 'found' })
})

test('an engine that does not answer at all is left alone', async () => {
  const choice = choiceOf({ isAlive: false })
  await asking(choice, 'eve', costly)
  expect(await asking(choice, 'bob', async () => 'found')).toEqual({
    reason: 'the index is not there, lags, or does not answer',
  })
})

test('one user has three searches at once, and others theirs beside them', async () => {
  const choice = choiceOf()
  let open = 0
  let end = (_: string): void => undefined
  const held = new Promise<string>((resolve) => {
    end = resolve
  })
  const search = () => {
    open += 1
    return held
  }
  const own = Array.from({ length: 10 }, () => asking(choice, 'eve', search))
  expect(await asking(choice, 'bob', async () => 'found')).toEqual({ result: 'found' })
  expect(open).toBe(3)
  end('done')
  expect(await Promise.all(own)).toEqual(Array(10).fill({ result: 'done' }))
})
