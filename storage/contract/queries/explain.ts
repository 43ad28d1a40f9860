import { expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { CONTRACT_RULES } from '../rules/index.js'
import { type Asking, NOW } from './asking.js'

/** That a backend can say how it answers. */
export const describeExplanations = ({ backend }: Asking): void => {
  test.each([
    "SELECT * FROM File WHERE dc:title = 'a' ORDER BY dc:modified",
    'SELECT COUNT(ecm:uuid) FROM File',
  ])('%s is explained in facts that JSON can carry', async (text) => {
    const principal = principalOf('Administrator', [], true)
    const scope = { model: CONTRACT_RULES.model, principal, now: NOW }
    const facts = await backend.reading(principal).search.explain(parseNxql(text), scope, 10)
    expect(Object.keys(facts).length).toBeGreaterThan(0)
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts)
  })
}
