import { expect, test } from 'vitest'
import { ID, plan } from './compile.fixture.js'

const Q = 'SELECT * FROM Document WHERE '

test('more numbered wildcards than multiply rows at a bearable cost', () => {
  const text = `${Q}${[1, 2, 3, 4, 5].map((n) => `s:people/*${n}/age > 1`).join(' AND ')}`
  const message = 'NXQL: more than 4 different numbered wildcards at offset 125'
  expect(() => plan(text)).toThrow(expect.objectContaining({ code: 'badRequest', message }))
})

test('more ancestors than a planner should be given', () => {
  const text = `${Q}${Array.from({ length: 101 }, () => `ecm:ancestorId = '${ID}'`).join(' OR ')}`
  expect(() => plan(text)).toThrow(/^NXQL: too many conditions on ecm:ancestorId at offset \d+$/)
})
