import { expect, test } from 'vitest'
import { planLines } from './plan-tree.js'

test('shows what commits when', () => {
  const lines = planLines({
    chainId: 'demo',
    boundaries: 2,
    signatures: [{ input: 'void', output: 'documents' }],
    segments: [
      {
        kind: 'segment',
        title: 'Repository.Query and 3 more',
        steps: ['Repository.Query', 'Log'],
        isSlow: false,
      },
      {
        kind: 'loop',
        title: 'RunOperationOnListInNewTx convert',
        steps: ['RunOperationOnListInNewTx'],
        isSlow: false,
        segments: [{ kind: 'segment', title: 'Blob.ToPDF', steps: ['Blob.ToPDF'], isSlow: true }],
      },
      { kind: 'call', title: 'RunDocumentOperation tag', steps: ['RunDocumentOperation'], isSlow: true },
      { kind: 'call', title: 'RunInNewTransaction log', steps: ['RunInNewTransaction'], isSlow: false },
    ],
  })
  expect(lines).toEqual([
    'demo: void -> documents',
    '├─ Repository.Query, Log (one transaction)',
    '├─ RunOperationOnListInNewTx convert (steps of their own for each item)',
    '│  └─ Blob.ToPDF (one transaction, may take long)',
    '├─ RunDocumentOperation tag (one transaction of its own, for each document of a list, may take long)',
    '└─ RunInNewTransaction log (one transaction of its own)',
  ])
})

test('says when nothing can be given to a chain', () => {
  expect(planLines({ chainId: 'demo', boundaries: 0, signatures: [], segments: [] })).toEqual([
    'demo: no input finds a path',
  ])
})
