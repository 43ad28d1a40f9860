import { describe, expect, test } from 'vitest'
import { principalOf } from '../../../../core/access/security/index.js'
import type { Value } from '../../../../core/automation/language/index.js'
import type { UnitOfWork } from '../../../../core/automation/run-store/index.js'
import { type DocumentPage, pagingFields } from '../../../../core/content/documents/index.js'
import type { BlobStore } from '../../../../core/files/blobs/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import type { EntityWriter } from './document-responses.js'
import { respondWith } from './respond.js'

const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`)

const unit = {
  session: {
    principal: principalOf('ann', [], true),
    permissions: { policies: [] },
    stores: { documents: { getMany: async (ids: string[]) => ids.map((id) => ({ id })) } },
  },
  transient: { getList: async (_: string, from: number, to: number) => idsOf(3_104).slice(from, to) },
} as unknown as UnitOfWork

const writer: EntityWriter = {
  document: async ({ id }) => id,
  entries: async (records) => records.map(({ id }) => id),
  around: (records, page?: DocumentPage) =>
    page ? pagingFields(page, { shown: records.length, isSortable: false }) : {},
}

const answer = async (value: Value): Promise<{ entries: string[] }> =>
  (await respondWith(value, { unit, writer, blobs: {} as BlobStore })).json() as Promise<{
    entries: string[]
  }>

test.each<[string, Value]>([
  ['that waits in the store', { type: 'documentList', key: 'k', count: 3_104 }],
  ['of ids', { type: 'documents', ids: idsOf(3_104) }],
])(
  'the answer of a long list %s shows the first documents, and says how many there are',
  async (_, value) => {
    const { entries, ...paging } = await answer(value)
    expect(entries).toHaveLength(1_000)
    expect(paging).toMatchObject({ resultsCount: 3_104, isNextPageAvailable: true, currentPageIndex: 0 })
  },
)

test.each<[string, Value]>([
  ['as ids', { type: 'documents', ids: idsOf(3) }],
  [
    'read already',
    { type: 'documents', ids: idsOf(3_104), records: idsOf(3_104).map((id) => ({ id })) as DocumentRecord[] },
  ],
])('a list that is shown whole has no pages: %s', async (_, value) => {
  const { entries, ...paging } = await answer(value)
  expect(entries).toHaveLength(value.type === 'documents' ? value.ids.length : 0)
  expect(paging).toEqual({})
})

describe('a document that the caller may not see', () => {
  const none = { getMany: async () => [], get: async () => undefined }
  const session = { ...unit.session, stores: { documents: none } }
  const without = { ...unit, session } as unknown as UnitOfWork
  const respond = (value: Value): Promise<Response> =>
    respondWith(value, { unit: without, writer, blobs: {} as BlobStore })
  const document = { type: 'document', id: idsOf(1)[0]! } as const

  test('is no answer where others have given it: what was asked for is done', async () => {
    expect((await respond({ ...document, isOfOthers: true })).status).toBe(204)
  })

  test('is not found where the caller has named it', async () => {
    await expect(respond(document)).rejects.toMatchObject({ status: 404 })
  })
})
