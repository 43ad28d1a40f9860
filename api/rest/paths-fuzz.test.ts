import { expect, test } from 'vitest'
import { isArchivoltError } from '../../core/platform/errors/index.js'
import { parseDownloadPath } from '../download/index.js'
import { pathByRepository, routedPath } from '../edge/index.js'
import { parseIdTarget, parsePathTarget } from './requests/index.js'

const PIECES = [
  ...[
    '/',
    '//',
    '/@',
    '@',
    '%',
    '%2',
    '%2F',
    '%00',
    '%C3%A9',
    '%ff',
    '..',
    '.',
    '+',
    ';',
    ':',
    '*',
    '~',
    '~archive',
  ],
  ...[
    '/nuxeo',
    '/api/v1',
    '/site/api',
    '/site/automation',
    '/repo/',
    '/repo/archive',
    '/repo/x',
    '/id',
    '/path',
  ],
  ...[
    '/nxfile/',
    '/nxbigfile/archive/',
    'default',
    'a b',
    'é',
    '\u{1F600}',
    '?',
    '&',
    '=',
    'nxrepository=archive',
  ],
]
const CASES = 100_000

const CANONICAL = /^\/(?:[^/]+(?:\/[^/]+)*)?$/

/** Linear congruential: any sequence will do, as long as it is the same in every run. */
const random = (() => {
  let state = 20_261_121
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
})()

const randomPath = (): string =>
  `/${Array.from({ length: random(9) }, () => PIECES[random(PIECES.length)]).join('')}`

/** What callers receive is an error of ours; anything else is a fault. */
const isRefused = (parse: () => unknown): boolean => {
  try {
    parse()
    return false
  } catch (error) {
    if (!isArchivoltError(error) || error.status >= 500) throw error
    return true
  }
}

test(`${CASES} random paths are read or refused`, () => {
  const routeOf = pathByRepository('default', new Set(['default', 'archive']))
  const wrong: string[] = []
  const counts = { read: 0, refused: 0 }
  for (let count = 0; count < CASES; count++) {
    const path = randomPath()
    const url = `http://host${path}`
    const route = routeOf({ url, headers: new Headers() } as Request)
    if (!route.startsWith('/')) wrong.push(path)
    const routed = routedPath(url)
    for (const parse of [parseIdTarget, parsePathTarget, parseDownloadPath]) {
      if (isRefused(() => parse(routed))) counts.refused++
      else counts.read++
    }
    const target = isRefused(() => parsePathTarget(routed)) ? undefined : parsePathTarget(routed)
    if (target && (!CANONICAL.test(target.ref) || target.ref.split('/').includes('..'))) wrong.push(path)
  }
  expect(wrong).toEqual([])
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(CASES / 10)
})
