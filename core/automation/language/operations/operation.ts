import type { Session } from '../../../content/documents/index.js'
import type { BlobValue, DocumentRecord, PropertyValue } from '../../../model/properties/index.js'
import type { ScriptDefinition } from '../chains/script.js'
import type { Value, ValueType } from '../values/values.js'
import type { OperationContext } from './context.js'
import type { Parameters, ValuesOf } from './parameters.js'
import type { OperationServices } from './services.js'

/** What the code of a method receives as its input, by declared type. */
export type InputValues = {
  void: undefined
  document: DocumentRecord
  documents: readonly DocumentRecord[]
  blob: BlobValue
  bloblist: readonly BlobValue[]
  string: string
  number: number
  boolean: boolean
  date: string
  object: Value
}

/** One way to call an operation. The code of `iterates` methods is run for each element of a list input. */
export type Method<P extends Parameters = Parameters, I extends ValueType = ValueType> = {
  input: I
  output: ValueType
  iterates?: boolean
  run(call: { context: OperationContext; input: InputValues[I]; params: ValuesOf<P> }): Promise<Value>
}

/**
 * Where a chain must commit before it goes on:
 * `loop` runs another operation once for each element of a list, each in a transaction of its own;
 * `transaction` runs another operation in a transaction of its own.
 */
export type Boundary = 'loop' | 'transaction'

export type Operation = {
  id: string
  aliases?: readonly string[]
  label: string
  category: string
  description: string
  since?: string
  params: Parameters
  methods: readonly Method[]
  /** Always, or when this set of raw parameters asks for it. */
  boundary?: Boundary | ((params: { [name: string]: PropertyValue }) => Boundary | undefined)
  /**
   * Runs another operation or chain, named by its parameter `id`: on the input, for each element of the variable that its
   * parameter `list` names, or for each of the pages of the input.
   */
  callsTarget?: 'once' | 'list' | 'pages'
  /** Takes an input of any type, and passes it on: registries list more than its method of no input. */
  takesAnyInput?: boolean
  /** A document that its input lists more than once is taken once, by methods that iterate. */
  takesEachOnce?: boolean
  /** May take seconds: the segment becomes a heartbeating activity instead of a local one. */
  isSlow?: boolean
  /** Changes what lies below its input, too: a call on a large subtree becomes a run. */
  changesSubtree?: boolean
  /**
   * Whether a call takes longer than a request should wait for, by its input and raw parameters: then it becomes a run.
   * `most` is how many documents a request may change. What it throws is left to the call itself to say.
   */
  isLarge?(call: {
    input: Value
    params: { [name: string]: PropertyValue }
    session: Session
    most: number
    services: Pick<OperationServices, 'blobs'>
  }): Promise<boolean>
  /** The operation that does a page of it, again and again, before this one does the rest. */
  pagesBy?: string
  /**
   * Writes nothing, whatever its parameters: called alone it needs no transaction, whose two round trips would cost more
   * than most reading. Each statement of a transaction would see what is committed when it begins, too.
   */
  isReadOnly?: boolean
  /** Where it is a scripted operation: what runs carry of it. */
  script?: ScriptDefinition
  /** Only administrators may call it, unless a deployed filter says who may. */
  isAdministrative?: boolean
}

type MethodBuilder<P extends Parameters> = <I extends ValueType>(
  input: I,
  output: ValueType,
  run: Method<P, I>['run'],
) => Method

type OperationSource<P extends Parameters> = Omit<Operation, 'params' | 'methods'> & {
  params: P
  /**
   * `method` declares one way to call the operation; `iterating` one that is also run for each element of a
   * list, nulls dropped (reference: automation.md §6).
   */
  methods(build: { method: MethodBuilder<P>; iterating: MethodBuilder<P> }): readonly Method[]
}

/** Declares an operation; its code is checked against its parameters and input types. */
export const defineOperation = <const P extends Parameters>({
  methods,
  ...operation
}: OperationSource<P>): Operation => {
  const method: MethodBuilder<P> = (input, output, run) => ({ input, output, run }) as unknown as Method
  const iterating: MethodBuilder<P> = (input, output, run) =>
    ({ input, output, run, iterates: true }) as unknown as Method
  return { ...operation, methods: methods({ method, iterating }) }
}
