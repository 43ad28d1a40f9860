import { beforeAll, describe } from 'vitest'
import type { ContentBackend } from '../content/index.js'
import { describeAggregates } from './aggregates.js'
import { askingOf } from './asking.js'
import { describeConditions } from './conditions.js'
import { describeExplanations } from './explain.js'
import { describeHostileQueries } from './hostile.js'
import { describeOrder } from './order.js'
import { describePairs } from './pairs.js'
import { describeQueryRefusals } from './refusals.js'
import { describeRows } from './rows.js'
import { insertSample } from './sample.js'
import { describeReadSecurity } from './security.js'
import { describeSettling } from './settled.js'
import { describeSpecialConditions } from './special.js'
import { describeWords } from './words.js'

/** What every query backend must answer about a sample of documents; the repository is empty before. */
export const describeQueries = (name: string, backend: ContentBackend): void => {
  describe(`${name}: queries`, () => {
    beforeAll(() => insertSample(backend))
    const asking = askingOf(backend)
    describeConditions(asking)
    describeSpecialConditions(asking)
    describeOrder(asking)
    describeRows(asking)
    describeAggregates(backend)
    describeExplanations(asking)
    describeSettling(asking)
    describeQueryRefusals(backend)
    describeWords(asking)
    describeHostileQueries(asking)
  })
}

/** What every query backend must answer whom. */
export const describeQueryRights = (name: string, backend: ContentBackend): void => {
  describe(`${name}: queries`, () => {
    describeReadSecurity(backend)
    describePairs(backend)
  })
}

export { describeAgainstEvaluator } from './against-evaluator.js'
export { evaluatedDocuments } from './evaluated.js'
export { type RandomDocument, randomDocuments, storeRandomDocuments } from './random-documents.js'
export { ALL_DOCUMENTS, idOf, insertSample } from './sample.js'
