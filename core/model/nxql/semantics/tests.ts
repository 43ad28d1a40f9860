import type { Arithmetic, ComparisonOperator, Reference } from '../ast.js'
import type { FulltextQuery } from '../fulltext/parse.js'
import type { Kind } from './kinds.js'
import type { SearchedWeight, ValuePlace } from './place.js'

/** One side of a comparison of two properties, or of what is computed of them. */
export type Term =
  | { kind: 'value'; type: Kind; place: ValuePlace }
  /** A value as `valueFor` writes it. */
  | { kind: 'constant'; type: Kind; text: string }
  /** No number comes of a division by zero, and no failure either. */
  | { kind: 'arithmetic'; type: 'number'; operator: Arithmetic['operator']; left: Term; right: Term }

/**
 * What a condition asks of one value. Values are written as `valueFor` does. Null, and a value of another type than
 * the model says, is neither in nor out: no test of it holds, negated or not.
 */
export type ValueTest =
  | { kind: 'isOneOf'; values: readonly string[] }
  | { kind: 'isOrdered'; operator: ComparisonOperator; value: string }
  /** Both ends included. */
  | { kind: 'isBetween'; low: string; high: string }
  /** `%` stands for any text, `_` for one character; `\` before `%`, `_` and `\` makes a letter of them, else it is nothing. */
  | { kind: 'isLike'; pattern: string; ignoreCase: boolean }
  /** The value itself, or one below it where `/` separates levels. */
  | { kind: 'isAtOrUnder'; value: string }

/**
 * What a condition means: names are looked up, values have the type of what they are compared with, and a backend has
 * but to ask. `negated` asks for the opposite; under a wildcard that is "some element is not", for a bare list
 * "no element is".
 */
export type Test =
  | { kind: 'all' | 'any'; tests: readonly Test[] }
  | { kind: 'hasValue'; place: ValuePlace; test: ValueTest; negated: boolean }
  /** A list is null when it has no element. */
  | { kind: 'isNull'; place: ValuePlace; negated: boolean }
  /** The operator has taken a negation in. */
  | { kind: 'compares'; left: Term; operator: ComparisonOperator; right: Term }
  | { kind: 'isAt'; path: string; negated: boolean }
  /** Strictly: `folder` has no slash at its end, and is empty for the root; null is no path. What has no path is below nothing. */
  | { kind: 'isBelow'; folder: string | null; negated: boolean }
  /** The same by the id of what is above; a text that is no id is above nothing. */
  | { kind: 'isBelowId'; id: string; negated: boolean; reference: Reference }
  /** Documents of the types, and those that have one of the facets themselves. */
  | { kind: 'hasFacet'; types: readonly string[]; own: readonly string[]; negated: boolean }
  /** In the trash: moved there, or in the state `deleted`. */
  | { kind: 'isTrashed'; negated: boolean }
  | { kind: 'wasMovedToTrash'; negated: boolean }
  /** Of no alternatives, nothing is found. */
  | {
      kind: 'isFound'
      alternatives: FulltextQuery
      weight: SearchedWeight
      negated: boolean
      reference: Reference
    }
