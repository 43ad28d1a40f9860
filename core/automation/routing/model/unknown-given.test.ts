import { expect, test } from 'vitest'
import { routesPoint, unknownInCompletion, unknownInStart } from './index.js'

const model = routesPoint.schema.parse({
  variables: { reviewers: { type: 'list' }, round: { type: 'integer' } },
  nodes: {
    review: {
      variables: { note: {} },
      globalVariables: ['round'],
      taskButtons: [{ name: 'approve' }, { name: 'reject' }],
    },
    free: {},
  },
})

test('variables of a start that nothing declares are named, with what was meant', () => {
  expect(unknownInStart(model, { reviewers: [], round: 2 })).toEqual([])
  expect(unknownInStart(model, { reviewer: 'ann' })).toEqual([
    'the workflow takes no variable "reviewer", which is ignored, did you mean "reviewers"?',
  ])
})

test('so are variables of a task, of itself and of the workflow, and buttons', () => {
  const { review, free } = model.nodes
  expect(
    unknownInCompletion(review!, { action: 'approve', given: { note: 'a', round: 3, comment: 'fine' } }),
  ).toEqual([])
  expect(unknownInCompletion(review!, { action: 'aprove', given: { reviewers: [] } })).toEqual([
    'the task has no button "aprove"; its buttons are approve, reject',
    'the task takes no variable "reviewers", which is ignored',
  ])
  expect(unknownInCompletion(free!, { action: 'anything', given: {} })).toEqual([])
})
