import type { Principal } from '../../access/security/index.js'
import type { BusinessObjects } from '../../content/business-objects/index.js'
import type { Session } from '../../content/documents/index.js'
import type { BlobStore } from '../../files/blobs/index.js'
import type { BlobValue, DocumentRecord, Properties, PropertyValue } from '../../model/properties/index.js'
import type { ArchivoltError } from '../../platform/errors/index.js'
import type { HttpClient } from '../../platform/http/index.js'
import type { CounterHistory } from '../../platform/telemetry/index.js'
import type { NameKind } from '../lint/index.js'
import type { BulkCommand, BulkRequest } from './bulk/index.js'
import type { Incident } from './incidents.js'
import type { RehearsalNotes } from './rehearsal-notes.js'
import type { ScriptDefinition, ScriptInvocation, ScriptOutcome } from './scripts/index.js'
import type { RunTraces, TraceRecording } from './trace-recording.js'
import type { TransientStore } from './transient.js'
import type { Value, ValueType, Variables } from './values.js'

/** Types of parameters, by their wire names (automation.md §2 and §3, coercion table). */
export type ParameterType =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'long'
  | 'float'
  | 'date'
  | 'document'
  | 'documents'
  | 'blob'
  | 'stringlist'
  | 'resource'
  | 'properties'
  | 'serializable'
  | 'object'
  | 'map'
  | 'list'

/** What an operation's code receives for a parameter of each type. */
export type ParameterValues = {
  string: string
  boolean: boolean
  integer: number
  long: number
  float: number
  /** ISO 8601 in UTC. */
  date: string
  document: DocumentRecord
  documents: readonly DocumentRecord[]
  blob: BlobValue
  stringlist: readonly string[]
  /** An address, as it was written. */
  resource: string
  /** Text or JSON by xpath, not yet coerced to the fields' types. */
  properties: { [xpath: string]: PropertyValue }
  serializable: PropertyValue
  object: Value
  map: { [key: string]: PropertyValue }
  list: readonly PropertyValue[]
}

/** An expression, a query, the conditions of one, or statements of MVEL. */
export type Notation = 'expression' | 'nxql' | 'conditions' | 'statements'

export type Parameter = {
  type: ParameterType
  isRequired?: boolean
  default?: PropertyValue
  aliases?: readonly string[]
  description?: string
  /** Hints shown to designers. */
  values?: readonly string[]
  /** It is evaluated: a step says it itself, and neither a variable nor a parameter of its caller's stands in. */
  isCode?: boolean
  /**
   * Writes text so that the notation in which the parameter is read gives it back. What a step writes is in that
   * notation; what comes from elsewhere, by an expression too, is only text, and is written so.
   */
  quoted?(text: string): string
  /**
   * What of the configuration its text names, or each item of its list, or each key of its map: a slip is told when a
   * chain is deployed.
   */
  names?: NameKind
  /** The parameter whose text is the xpath of the property that takes its value. */
  ofProperty?: string
  /** The parameter whose text is the type of the documents whose properties its keys are. */
  ofType?: string
  /** What its text is written in, so that a text that a chain writes down can be read when it is deployed. */
  notation?: Notation
}

export type Parameters = { [name: string]: Parameter }

/** Values for declared parameters: certain when required or defaulted, else possibly absent. */
export type ValuesOf<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends { isRequired: true } | { default: PropertyValue }
    ? ParameterValues[P[Name]['type']]
    : ParameterValues[P[Name]['type']] | undefined
}

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

/** A call of another operation or chain from inside one, in the same transaction. */
export type NestedCall = {
  id: string
  input: Value
  /** Chain parameters, merged over the caller's and taken back afterwards. */
  parameters?: { [name: string]: PropertyValue } | undefined
  /** With a copy of the variables, so that changes do not flow back. */
  isolate: boolean
  /** Variables for this call alone. */
  variables?: Variables
}

export type OperationServices = {
  /**
   * There when nothing of this transaction is kept: see `rehearse`. What it would do outside of the database is refused.
   */
  rehearsal?: RehearsalNotes
  blobs: BlobStore
  businessObjects: BusinessObjects
  /** Converts a blob by converter name or target mime type; slow, so its operation says `isSlow`. */
  convert(request: {
    source: BlobValue
    converter?: string
    type?: string
    parameters?: { [name: string]: string }
    signal?: AbortSignal
  }): Promise<BlobValue>
  /** Joins PDFs, in order, into one; slow, as `convert` is. */
  joinPdfs(request: { sources: readonly BlobValue[]; name: string; signal?: AbortSignal }): Promise<BlobValue>
  /** Asks other servers, those that the deployment allows. */
  http: HttpClient
  /** Names of the repositories of this deployment, sorted. */
  repositories: readonly string[]
  /** Whom mail of the product comes from; absent: no mail server is set. */
  mail: { sender: string } | undefined
  limits: {
    /** Bytes of a file that comes from elsewhere. */
    fileBytes: number
    /** Folder of the server that files may be written below; absent: none. */
    exportFolder: string | undefined
    /** Bulk commands of one user that may be under way. */
    openBulkCommands: number
  }
  /** Switches of this process that administrators may turn. */
  switches: {
    /** Whether errors are answered with what went wrong inside. */
    tellsStack: boolean
  }
  /** Whether this process records traces, and those of single operations. */
  recording: TraceRecording
  /** Traces of runs; absent where nobody knows of them: in a worker process. */
  traces?: RunTraces | undefined
  /** What counters of this process have been, by name. */
  counters: CounterHistory['read']
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>): void
  /** What expressions and scripts read as `Env`: no setting whose value is a secret or a place on the server. */
  env: Readonly<Record<string, string>>
}

/** What an operation may use while it runs. It knows nothing of where it runs. */
export type OperationContext = {
  session: Session
  /** The variables of the run; assigning changes what later steps see. */
  variables: Variables
  /** The current input, also for methods that declare none. */
  input: Value
  services: OperationServices
  /** What is kept for a while, outside of documents. */
  transient: TransientStore
  /** Commands over all that a query finds: see `submitBulk` and `getBulk`. */
  bulk: {
    submit(request: BulkRequest): Promise<string>
    find(id: string): Promise<BulkCommand>
  }
  signal: AbortSignal
  run(call: NestedCall): Promise<Value>
  /** The same, undone alone when it fails for good. */
  attempt(call: NestedCall): Promise<{ output: Value } | { failure: ArchivoltError }>
  /** Takes note of what goes wrong without ending the run. */
  tell(incident: Incident): void
  /** @throws forbidden naming the operation, when it comes with a call instead of a deployed chain. */
  requireDeployed(operation: string): void
  /** Lets what follows in the chain run as somebody else, until `logout` or its end. */
  login(principal: Principal): void
  logout(): void
  /**
   * The value of an expression, with or without `expr:`, in the sandbox of expressions; on another input than
   * the step's own when one is given, and with further variables.
   *
   * @param on `isDeployed`: the text is that of a deployment, whoever calls.
   * @throws forbidden when it comes with the call of somebody who is no administrator, instead of a chain.
   */
  evaluate(
    expression: string,
    on?: { input?: Value; variables?: Variables; isDeployed?: boolean },
  ): Promise<Value>
  /** Answers a question of a sandbox: see `answers.ts`. */
  ask(question: string, args: readonly unknown[]): Promise<Value>
  /** Runs a script in the same transaction: see `script-run.ts`. */
  runScript(script: ScriptInvocation): Promise<ScriptOutcome>
  /** Reads the documents behind a value; anything but documents is refused with badRequest. */
  documents(value: Value): Promise<readonly DocumentRecord[]>
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
  /** May take seconds: the segment becomes a heartbeating activity instead of a local one. */
  isSlow?: boolean
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
   * list, nulls dropped (automation.md §6).
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

/** Properties of a document as an operation's `properties` parameter gives them, before coercion. */
export type RawProperties = ParameterValues['properties'] | Properties
