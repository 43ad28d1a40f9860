import type { PropertyValue } from '../../../model/properties/index.js'
import type { ErrorLocation } from '../../../platform/errors/index.js'
import type { ScriptDefinition } from './script.js'

/** A declared parameter of a chain. Types are those of reference: automation.md §8; an unknown one is read as text. */
export type ChainParameter = {
  name: string
  type: string
  description?: string
  isRequired: boolean
  /** Hints shown to designers; the first one is also the default. */
  values: readonly string[]
}

export type ChainStep = {
  /** Id or alias of an operation or of another chain. */
  operation: string
  /** As written: texts that begin with `expr:` are evaluated when the step runs. */
  params: { [name: string]: PropertyValue }
  /** Its parameters came from a caller, not from a definition: text in them is never evaluated. */
  isLiteral?: boolean
  /** Where it stands in the deployed text. */
  at?: ErrorLocation
}

/**
 * How a call of a chain runs: as a workflow, in a transaction for each of its segments; or in the process that
 * is asked, as one transaction without boundaries. Not waited for, every chain is a workflow.
 */
export const EXECUTIONS = ['workflow', 'inline'] as const
export type ChainExecution = (typeof EXECUTIONS)[number]

/** A chain to run when another one has failed (reference: automation.md §6, error chains). */
export type ErrorChain = {
  /** Id or alias of the chain. It must not commit on its way. */
  chain: string
  /** An expression that must be true for it to run; absent: it always may. */
  filter?: string
  /** Whether what the failed transaction had done before the step that failed is undone. */
  rollback: boolean
  /** Of several that may run the highest does, and of equals the last. */
  priority: number
  /** Where it stands in the deployed text. */
  at?: ErrorLocation
}

/** A chain as it is deployed, planned and carried by the runs that began with it. */
export type ChainDefinition = {
  id: string
  description?: string
  aliases: readonly string[]
  /** Absent: a workflow. */
  execution?: ChainExecution
  params: readonly ChainParameter[]
  steps: readonly ChainStep[]
  /** What may run when it fails. */
  onError?: readonly ErrorChain[]
  /** Only among what a run carries: the scripted operation of this id, which has no steps. */
  script?: ScriptDefinition
}
