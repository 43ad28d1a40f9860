/**
 * A document as an expression may read it. Nothing is copied into the sandbox up front: each property that
 * an expression names costs one synchronous call of `get` or one field read.
 */
export type HostDocument = {
  id: string
  name: string
  path: string | null
  type: string
  /** All facets, those of the type included. */
  facets: readonly string[]
  schemas: readonly string[]
  state: string | null
  versionLabel: string | null
  isProxy: boolean
  isVersion: boolean
  /** Who has locked it; null where nobody has. */
  lockOwner: string | null
  /** Since when; null where nobody has. */
  lockCreated: Date | null
  isFolder: boolean
  /** Plain data of a property by prefixed name; null when the document has no such property. */
  get(property: string): unknown
}

/** Who acts, as an expression may read it. */
export type ScopePrincipal = {
  name: string
  /** All groups, inherited ones included. */
  groups: readonly string[]
  isAdministrator: boolean
}

/**
 * What an expression sees. `input` and `variables` hold plain data (JSON values and `Date`) and, at any
 * depth, host documents. `document` and `documents` are set when the input is one document or a list.
 */
export type ExpressionScope = {
  document?: HostDocument
  documents?: readonly HostDocument[]
  input: unknown
  variables: Readonly<Record<string, unknown>>
  principal: ScopePrincipal
  now: Date
  env: Readonly<Record<string, string>>
  /**
   * Answers questions that take time, e.g. `Fn.getEmail` with its arguments, or `document.parent` with the
   * document. Absent: none can be asked. The evaluation starts again with each answer.
   */
  ask?(question: string, args: readonly unknown[]): Promise<unknown>
}

/** A document as the result of the sandbox: the caller looks it up again under the principal's rights. */
export type DocumentReference = { documentRef: string }

export type ExpressionLimits = {
  /** One evaluation, milliseconds; waiting for answers is not counted. */
  timeMs: number
  /** Heap of the sandbox, bytes. */
  memoryBytes: number
  /** Call stack of the sandbox, bytes. */
  stackBytes: number
  /** Text of one expression or template, characters. */
  sourceLength: number
  /** One value passed in or out, characters of its JSON form. */
  valueLength: number
}

export type ExpressionEngine = {
  /** The typed value of an expression: plain data, `Date`, or `DocumentReference` for a document. */
  evaluate(source: string, scope: ExpressionScope): Promise<unknown>
  /**
   * A chain parameter as it stands in a definition (reference: automation.md §7): text without the prefix `expr:` is
   * its own value; with it XML entities are resolved, and what contains `@{` is a template.
   */
  evaluateValue(text: string, scope: ExpressionScope): Promise<unknown>
  /** Frees the sandbox; a later evaluation fails. */
  dispose(): void
}
