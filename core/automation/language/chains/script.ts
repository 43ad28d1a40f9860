import type { Program, ScriptNames } from '../../../platform/sandbox/scripts/index.js'
import type { ParameterType } from '../operations/parameters.js'
import type { Value, ValueType } from '../values/values.js'

/** A scripted operation as it is deployed, planned and carried by the runs that began with it. */
export type ScriptDefinition = {
  id: string
  aliases: readonly string[]
  label?: string
  category: string
  description?: string
  inputType?: ValueType
  outputType?: ValueType
  params: readonly ScriptParameter[]
  /** JavaScript that declares `run(input, params)`. */
  script: string
}

export type ScriptParameter = {
  name: string
  type: ParameterType
  description?: string
  isRequired: boolean
  /** Hints shown to designers; the first one is also the default. */
  values: readonly string[]
}

/** A script that an operation runs, in its transaction. */
export type ScriptInvocation = {
  program(names: ScriptNames): Program
  input: Value
  /** Values as `resolveParameters` gives them, and of which types they are. */
  params?: { [name: string]: unknown }
  types?: { [name: string]: ParameterType }
  /** Further values by name: the names that its statements read. */
  names?: { [name: string]: Value }
  /** Context variables that it reads by their names alone: what it changes in them is set. */
  variables?: { [name: string]: Value }
}

export type ScriptOutcome = {
  /** What it returns: documents, lists of them and files as such, the rest as plain values. */
  output: Value
  /** What came in, with what the script has set of it and nobody has saved. */
  input: Value
}
