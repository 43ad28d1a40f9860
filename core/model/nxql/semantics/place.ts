import type { FulltextIndex } from '../../content-model/index.js'
import type { Reference } from '../ast.js'
import type { Kind } from './kinds.js'
import type { SpecialProperty } from './special.js'

/**
 * A step below a property. `any` is an unnumbered wildcard, another element each time; `variable` a numbered one, the
 * same element wherever `xpath` is written in the query (reference: nxql-search.md §4).
 */
export type Step =
  | { kind: 'field'; name: string }
  | { kind: 'index'; index: number }
  | { kind: 'any' }
  | { kind: 'variable'; xpath: string }

/** What is known of an entry of a local ACL, by the names of `ecm:acl/*`; its status follows from its dates. */
export type AceColumn =
  | 'principal'
  | 'permission'
  | 'grant'
  | 'name'
  | 'pos'
  | 'creator'
  | 'begin'
  | 'end'
  | 'status'

/** Where values are found; `variable` is null for another element each time. */
export type Source =
  | { kind: 'special'; name: SpecialProperty }
  /** `key` is that of the properties of a document. */
  | { kind: 'property'; key: string; steps: readonly Step[] }
  | { kind: 'tag'; variable: string | null }
  | { kind: 'ace'; variable: string | null; column: AceColumn }
  | { kind: 'blobKeys' }

/** A reference that has values. */
export type ValuePlace = {
  kind: 'value'
  /** How the values compare, after a DATE cast. */
  type: Kind
  isDay: boolean
  source: Source
  /** A list that is named without a wildcard: its conditions hold for any, their negations for no element. */
  isList: boolean
  reference: Reference
}

/** The mark of one index among the words of all: `D` for the texts of files; null searches every index. */
export type SearchedWeight = FulltextIndex['weight'] | 'D'

/** What a reference means. */
export type Place =
  | ValuePlace
  | { kind: 'path' | 'ancestor' | 'facets' | 'trash' | 'state' | 'score' }
  | { kind: 'search'; weight: SearchedWeight }
  /** A property that has no index of its own is searched as text. */
  | { kind: 'searchText'; place: ValuePlace }

/** The numbered wildcards of a place, outermost first. */
export const variablesOf = ({ source }: ValuePlace): readonly string[] => {
  if (source.kind === 'property')
    return source.steps.flatMap((step) => (step.kind === 'variable' ? [step.xpath] : []))
  return 'variable' in source && source.variable !== null ? [source.variable] : []
}

/** Whether a place has another value for each way of choosing elements. */
export const hasAny = ({ source }: ValuePlace): boolean =>
  source.kind === 'property'
    ? source.steps.some(({ kind }) => kind === 'any')
    : 'variable' in source && source.variable === null
