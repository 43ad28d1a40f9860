import { expect, test } from 'vitest'
import { requireNoScores, withoutScores } from './scores.js'

const answer = {
  hits: {
    max_score: 4.5,
    hits: [{ _id: 'a', _score: 4.5, sort: [4.5, 'x'], _source: { _score: 7, title: 'mine' } }],
  },
  aggregations: { top: { hits: { max_score: 1, hits: [{ _id: 'a', _score: 1, sort: ['x'] }] } } },
}

test('scores are left out of entries, wherever they stand, and not of what entries hold', () => {
  expect(withoutScores(answer, { sort: ['title'] })).toEqual({
    hits: {
      max_score: null,
      hits: [{ _id: 'a', _score: null, sort: [4.5, 'x'], _source: { _score: 7, title: 'mine' } }],
    },
    aggregations: { top: { hits: { max_score: null, hits: [{ _id: 'a', _score: null, sort: ['x'] }] } } },
  })
})

test('values that entries were sorted by are left out where a score is one of them', () => {
  const { hits } = withoutScores(answer, { sort: [{ _score: 'desc' }, 'title'] }) as typeof answer
  expect(hits.hits[0]?.sort).toBeNull()
})

test.each([[{ min_score: 3 }], [{ query: { function_score: { query: { match_all: {} }, min_score: 3 } } }]])(
  '%j is refused',
  (body) => {
    expect(() => requireNoScores(body)).toThrow(/min_score/)
  },
)

test('a text that is called so is none', () => {
  expect(() => requireNoScores({ query: { match: { title: '"min_score":' } } })).not.toThrow()
})
