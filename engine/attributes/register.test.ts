import { expect, test } from 'vitest'
import { ensureSearchAttributes } from './register.js'

const ALL = {
  ChainId: 2,
  Principal: 2,
  DocumentId: 2,
  EventName: 2,
  RequestId: 2,
  FailedItems: 3,
  RouteModel: 2,
  Node: 7,
  Assignee: 7,
  Escalation: 7,
  DueDate: 6,
}
const refused = (code: number) => Object.assign(new Error('refused'), { code })

const operator = (list: () => object, add: (names: string[]) => void) =>
  ({
    operatorService: {
      listSearchAttributes: async () => list(),
      addSearchAttributes: async ({ searchAttributes }: { searchAttributes: object }) =>
        add(Object.keys(searchAttributes)),
    },
  }) as unknown as Parameters<typeof ensureSearchAttributes>[0]

test('registers what is missing, and nothing else', async () => {
  const added: string[][] = []
  const { ChainId: _, ...others } = ALL
  await ensureSearchAttributes(
    operator(
      () => ({ customAttributes: others }),
      (names) => added.push(names),
    ),
    'n',
  )
  await ensureSearchAttributes(
    operator(
      () => ({ customAttributes: ALL }),
      (names) => added.push(names),
    ),
    'n',
  )
  expect(added).toEqual([['ChainId']])
})

test('leaves it to the operator where no client may', async () => {
  const denied = () => {
    throw refused(7)
  }
  await ensureSearchAttributes(operator(denied, denied), 'n')
  const known = operator(() => ({ customAttributes: { ...ALL, ChainId: undefined } }), denied)
  await ensureSearchAttributes(known, 'n')
  await expect(
    ensureSearchAttributes(
      operator(() => ({}), denied),
      'here',
    ),
  ).rejects.toThrow(
    'Create the search attributes ChainId (KEYWORD), Principal (KEYWORD), DocumentId (KEYWORD), EventName (KEYWORD), RequestId (KEYWORD), FailedItems (INT), RouteModel (KEYWORD), Node (KEYWORD_LIST), Assignee (KEYWORD_LIST), Escalation (KEYWORD_LIST), DueDate (DATETIME) in the namespace here',
  )
})

test('reports whatever else goes wrong', async () => {
  const lost = () => {
    throw refused(14)
  }
  await expect(ensureSearchAttributes(operator(lost, lost), 'n')).rejects.toThrow('refused')
  await expect(
    ensureSearchAttributes(
      operator(() => ({}), lost),
      'n',
    ),
  ).rejects.toThrow('refused')
})
