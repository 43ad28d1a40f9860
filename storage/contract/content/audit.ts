import { expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import type { AuditCondition, NewLogEntry } from '../../../core/content/stores/index.js'
import type { ContentBackend } from './backend.js'

const DAY = '2026-01-0'

const entry = (eventId: string, day: number, more: Partial<NewLogEntry> = {}): NewLogEntry => ({
  eventId,
  category: 'contract',
  principalName: 'ann',
  comment: null,
  docLifeCycle: null,
  docPath: null,
  docType: null,
  docUUID: null,
  repositoryId: null,
  eventDate: new Date(`${DAY}${day}`),
  extended: {},
  ...more,
})

const ENTRIES = [
  entry('a', 2, { docPath: '/x/100%/y', comment: 'One' }),
  entry('b', 1, { extended: { inner: { key: 'value' }, list: [1, 'two'] } }),
  entry('c', 2, { principalName: null, docPath: '/x/100a' }),
]

const OWN = { kind: 'compare', field: { column: 'category' }, operator: '=', value: 'contract' } as const
const at = (column: 'eventId' | 'principalName' | 'comment' | 'docPath') => ({ column })

const CONDITIONS: readonly [AuditCondition, string][] = [
  [OWN, 'cab'],
  [{ kind: 'in', field: at('eventId'), values: ['a', 'b', 'none'] }, 'ab'],
  [{ kind: 'not', operand: { kind: 'in', field: at('eventId'), values: ['a'] } }, 'cb'],
  [{ kind: 'null', field: at('principalName') }, 'c'],
  [{ kind: 'like', field: at('comment'), pattern: 'o%', ignoresCase: true }, 'a'],
  [{ kind: 'like', field: at('comment'), pattern: 'o%', ignoresCase: false }, ''],
  [{ kind: 'like', field: at('docPath'), pattern: '/x/100\\%%', ignoresCase: false }, 'a'],
  [{ kind: 'compare', field: { column: 'eventDate' }, operator: '<', value: new Date(`${DAY}2`) }, 'b'],
  [{ kind: 'compare', field: { extended: ['inner', 'key'] }, operator: '=', value: 'value' }, 'b'],
  [{ kind: 'or', operands: [{ kind: 'null', field: at('principalName') }, OWN] }, 'cab'],
]

/** What every store of the audit must do. */
export const describeAuditStore = (name: string, backend: ContentBackend): void => {
  const ann = principalOf('ann', [], false)
  const newest = [{ field: { column: 'eventDate' }, isAscending: false }] as const

  test(`${name}: entries are kept in order, and found by what they have`, async () => {
    await backend.transaction(ann, ({ stores }) => stores.audit.write(ENTRIES))
    const { audit } = backend.reading(ann)
    const found = async (condition: AuditCondition, page = { limit: 10, offset: 0 }) =>
      audit.find({ kind: 'and', operands: [OWN, condition] }, { ...page, order: newest })
    for (const [condition, ids] of CONDITIONS) {
      const { entries, total } = await found(condition)
      expect([entries.map(({ eventId }) => eventId).join(''), total]).toEqual([ids, ids.length])
    }
    expect(await found(OWN, { limit: 1, offset: 1 })).toEqual({
      entries: [{ ...ENTRIES[0], id: expect.any(Number), logDate: expect.any(Date) }],
      total: 3,
    })
    const { entries, total } = await audit.find(OWN, {
      order: [{ field: { column: 'id' }, isAscending: true }],
      limit: 10,
      offset: 0,
      countAtMost: 1,
    })
    expect(entries.map(({ id: _id, logDate: _logDate, ...rest }) => rest)).toEqual(ENTRIES)
    expect(total).toBe(2)
  })
}
