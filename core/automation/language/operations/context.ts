import type { Principal } from '../../../access/security/index.js'
import type { Session } from '../../../content/documents/index.js'
import type { DocumentRecord, PropertyValue } from '../../../model/properties/index.js'
import type { ArchivoltError } from '../../../platform/errors/index.js'
import type { ScriptInvocation, ScriptOutcome } from '../chains/script.js'
import type { Incident } from '../failures/incident.js'
import type { Value, Variables } from '../values/values.js'
import type { BulkCommand, BulkRequest } from './bulk-command.js'
import type { OperationServices } from './services.js'
import type { TransientStore } from './transient.js'

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
  report(incident: Incident): void
  /** @throws forbidden naming the operation, when it comes with a call instead of a deployed chain. */
  requireDeployed(operation: string): void
  /**
   * Refuses the name of a chain that runs later, when it comes with the call of somebody who may not call it.
   *
   * @param what how the caller named it.
   * @throws forbidden for what is no chain, too.
   */
  requireMayName(what: string, chain: string): void
  /** Whether the product itself acts here, as for the chains of workflows: no caller has set their variables. */
  isOfProduct: boolean
  /** Whether variables may stand in for what a step leaves out: where a chain has logged somebody in, a caller has set them. */
  mayStandIn: boolean
  /** Lets what follows in the chain run as somebody else, until `logout` or its end. */
  login(principal: Principal): void
  logout(): void
  /**
   * The same place for work of the product itself: what it calls is deployed, and acts for somebody else, or on other
   * variables, where they are given. Never passed to code that a caller controls.
   */
  within(other: { principal?: Principal; variables?: Variables }): OperationContext
  /** @throws forbidden when a text to evaluate comes with the call of somebody who is no administrator. */
  requireMayEvaluate(): void
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
