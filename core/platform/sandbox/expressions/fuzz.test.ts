import { afterAll, beforeAll, expect, test } from 'vitest'
import { testSeed } from '../../../../test/support/random.js'
import { sized } from '../../../../test/support/size.js'
import { principalOf } from '../../../access/security/principal.js'
import { isArchivoltError } from '../../errors/index.js'
import { documentFixture } from './document.fixture.js'
import { createExpressionEngine } from './evaluation/engine.js'
import { randomSources } from './random-source.fixture.js'
import type { ExpressionEngine, ExpressionScope } from './types.js'

const SOURCES = sized({ full: 32_000, sample: 2_000 })
const SEED = testSeed()

const document = documentFixture('d', { 'dc:title': 'T' })
const scope: ExpressionScope = {
  document,
  input: document,
  variables: { x: 5, s: 'text', list: ['a', 'b'], map: { k: 'v' }, none: null },
  principal: principalOf('bob', [], false),
  now: new Date(0),
  env: {},
}

let engine: ExpressionEngine
beforeAll(async () => {
  engine = await createExpressionEngine({ timeMs: 200 })
})
afterAll(() => engine.dispose())

test(`${SOURCES} random expressions of seed ${SEED} end in a value or in the caller's error`, async () => {
  const { expression, pick } = randomSources(SEED)
  const strange: string[] = []
  let values = 0
  for (let count = 0; count < SOURCES; count++) {
    const source = pick([() => expression(), () => `@{${expression()}} and @{${expression()}}`])()
    try {
      await engine.evaluateValue(`expr:${source}`, scope)
      values++
    } catch (error) {
      if (!isArchivoltError(error) || error.code !== 'badRequest') strange.push(`${source} => ${error}`)
    }
  }
  expect(strange.slice(0, 5)).toEqual([])
  expect(values).toBeGreaterThan(SOURCES / 20)
  const untouched =
    '[typeof a, typeof b, [1].map((i) => i + 1)[0], "" + {}.toString(), Object.keys(globalThis).length]'
  expect(await engine.evaluate(untouched, scope)).toEqual(['undefined', 'undefined', 2, '[object Object]', 0])
}, 900_000)
