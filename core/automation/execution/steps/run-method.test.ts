import { expect, test } from 'vitest'
import type { DocumentRecord } from '../../../model/properties/index.js'
import type { Method, Operation, Value } from '../../language/index.js'
import { mapInput } from './run-method.js'

const listed = ['a', 'b', 'a', 'c'].map((id) => ({ id }) as DocumentRecord)

/** A call that goes over the list, with what is done at each element. */
const callOn = (
  done: (id: string) => void,
  { operation = {}, params = {}, signal = new AbortController().signal } = {},
): Promise<Value> => {
  const method = { input: 'document', output: 'document', iterates: true } as unknown as Method
  return mapInput(
    {
      operation: { params: {}, ...operation } as unknown as Operation,
      method,
      input: { type: 'documents', ids: listed.map(({ id }) => id) },
      params,
      reader: { one: async () => listed[0]!, many: async () => listed },
      signal,
    },
    async (element) => {
      const { id } = element as DocumentRecord
      done(id)
      return { type: 'document', id }
    },
  )
}

test('a list ends at the element at which its signal says so', async () => {
  const over = new AbortController()
  const done: string[] = []
  const call = callOn(
    (id) => {
      done.push(id)
      if (id === 'b') over.abort(new DOMException('held for too long', 'TimeoutError'))
    },
    { signal: over.signal },
  )
  await expect(call).rejects.toMatchObject({ code: 'timeout', retryable: false })
  expect(done).toEqual(['a', 'b'])
})

test.each([
  [{}, ['a', 'b', 'a', 'c']],
  [{ takesEachOnce: true }, ['a', 'b', 'c']],
])('an operation with %j takes %j', async (operation, expected) => {
  const done: string[] = []
  await callOn((id) => done.push(id), { operation })
  expect(done).toEqual(expected)
})

test('what is read again for each element has a limit, and what is passed on costs nothing', async () => {
  const text = 'x'.repeat(20 * 1024 * 1024)
  const operation = { id: 'Document.Reload', params: {} } as unknown as Operation
  const method = { input: 'document', output: 'document', iterates: true } as unknown as Method
  const large = listed.map(
    (document) => ({ ...document, properties: { 'dc:source': text } }) as DocumentRecord,
  )
  const call = (output: (document: DocumentRecord) => DocumentRecord) =>
    mapInput(
      {
        ...{ operation, method, params: {}, signal: new AbortController().signal },
        input: { type: 'documents', ids: large.map(({ id }) => id) },
        reader: { one: async () => large[0]!, many: async () => large },
      },
      async (element) => {
        const record = output(element as DocumentRecord)
        return { type: 'document', id: record.id, record }
      },
    )
  await expect(call((document) => ({ ...document }))).rejects.toMatchObject({
    code: 'tooLarge',
    message: expect.stringContaining('outputs of so many elements'),
  })
  await call((document) => document)
})

test('what is done for each pair of documents and entries has a limit, texts counting once', async () => {
  const done: string[] = []
  const call = (users: readonly unknown[], type = 'stringlist') =>
    callOn((id) => done.push(id), {
      operation: { params: { users: { type, mostPairs: 8 } } },
      params: { users },
    })
  await expect(call(['x', 'y', 'z'])).rejects.toMatchObject({
    code: 'badRequest',
    message: 'users: 3 entries for each of 4 documents are 12, more than 8 in one call',
  })
  expect(done).toEqual([])
  await call(['x', 'y', 'x'])
  await expect(call(['x', 'y', 'x'], 'documents')).rejects.toMatchObject({ code: 'badRequest' })
  await call(['x', 'x'], 'documents')
  expect(done).toHaveLength(8)
})
