import { describe } from 'vitest'
import {
  describeAgainstEvaluator,
  describeQueries,
  describeQueryRights,
} from '../../../../storage/contract/queries/index.js'
import { CONTRACT_RULES } from '../../../../storage/contract/rules/index.js'
import { backendsThat } from './backends.js'

for (const [name, open] of backendsThat('openContent')) {
  const backends = [
    await open(CONTRACT_RULES),
    await open(CONTRACT_RULES),
    await open(CONTRACT_RULES),
  ] as const
  describeQueries(name, backends[0])
  describeQueryRights(name, backends[1])
  describe(`${name}: queries`, () =>
    describeAgainstEvaluator(backends[2], { documents: 80, queries: 2_500, seed: 11 }))
}
