import { expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { CONTRACT_RULES } from '../rules/index.js'
import { type Asking, NOW } from './asking.js'
import { changeSample, idOf } from './sample.js'

/** That a backend says when it has caught up. */
export const describeSettling = ({ backend }: Asking): void => {
  test('what was committed before a wait that succeeds is found', async () => {
    await changeSample(backend, 'n00', { properties: { 'dc:title': 'settled' } })
    const { search } = backend.reading(SYSTEM)
    expect(await search.settled(60_000)).toBe(true)
    const scope = { model: CONTRACT_RULES.model, principal: SYSTEM, now: NOW }
    const query = parseNxql("SELECT * FROM Document WHERE dc:title = 'settled'")
    expect(await search.ids(query, scope, 2)).toEqual([idOf('n00')])
    await changeSample(backend, 'n00', { properties: { 'dc:title': 'Number 0' } })
  })
}
