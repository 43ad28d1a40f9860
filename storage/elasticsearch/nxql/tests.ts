import type { estypes } from '@elastic/elasticsearch'
import type { FulltextQuery, SearchedWeight, Test } from '../../../core/model/nxql/index.js'
import { MAX_KEYWORD } from '../mapping/index.js'
import { fieldOf, termOf } from './fields.js'

type Dsl = estypes.QueryDslQueryContainer

const not = (query: Dsl): Dsl => ({ bool: { must_not: [query] } })
export const all = (queries: readonly Dsl[]): Dsl => ({ bool: { filter: [...queries] } })
export const any = (queries: readonly Dsl[]): Dsl => ({
  bool: { should: [...queries], minimum_should_match: 1 },
})

/** Words that every language folds in the same way, so that the index has them as they are written. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/

const wordsField = (weight: SearchedWeight): string => `ecm:words${weight ?? ''}`

const searchTest = (alternatives: FulltextQuery, weight: SearchedWeight): Dsl | undefined => {
  const field = wordsField(weight)
  const terms = alternatives.map((group) =>
    group.map(({ text, isPrefix, isExcluded }) => {
      if (!PLAIN.test(text)) return undefined
      const words = text.toLowerCase()
      if (isPrefix && words.includes(' ')) return undefined
      const query: Dsl = isPrefix ? { prefix: { [field]: words } } : { match_phrase: { [field]: words } }
      return isExcluded ? not(query) : query
    }),
  )
  if (terms.flat().includes(undefined)) return undefined
  return any(terms.map((group) => all(group.flatMap((query) => query ?? []))))
}

const valueTest = (test: Extract<Test, { kind: 'hasValue' }>): Dsl | undefined => {
  const field = fieldOf(test.place)
  // What is null is neither in nor out, which `must_not` does not know.
  if (field === undefined || test.negated || test.test.kind !== 'isOneOf') return undefined
  const values = test.test.values.map((value) => termOf(value, test.place))
  if (values.includes(undefined)) return undefined
  return { terms: { [field]: values as string[] } }
}

const TRASHED: Dsl = any([
  { term: { 'ecm:isTrashed': true } },
  { term: { 'ecm:currentLifeCycleState': 'deleted' } },
])

/** What a test asks of an entry; undefined where entries cannot tell, and the repository is asked. */
export const compileTest = (test: Test): Dsl | undefined => {
  switch (test.kind) {
    case 'all':
    case 'any': {
      const parts = test.tests.map(compileTest)
      if (parts.includes(undefined)) return undefined
      return (test.kind === 'all' ? all : any)(parts.flatMap((part) => part ?? []))
    }
    case 'hasValue':
      return valueTest(test)
    case 'isFound':
      return test.negated ? undefined : searchTest(test.alternatives, test.weight)
    case 'isBelow':
      if (test.negated || test.folder === null || test.folder.length >= MAX_KEYWORD) return undefined
      return { prefix: { 'ecm:path': `${test.folder}/` } }
    case 'isBelowId':
      return test.negated ? undefined : { term: { 'ecm:ancestorId': test.id } }
    case 'hasFacet': {
      const carries = any([
        { terms: { 'ecm:primaryType': [...test.types] } },
        { terms: { 'ecm:ownMixinType': [...test.own] } },
      ])
      return test.negated ? not(carries) : carries
    }
    case 'isTrashed':
      return test.negated ? not(TRASHED) : TRASHED
    default:
      return undefined
  }
}
