import type { ScriptEngine, ScriptNames, ScriptRunner } from '../../platform/sandbox/scripts/index.js'
import type { HostCaller } from '../host-functions/index.js'
import type { DocumentReader, OperationContext } from '../language/index.js'
import { createScriptTable, type ScriptTable } from './script-values.js'

/** The scripts of one transaction. */
export type TransactionScripts = {
  engine: ScriptEngine
  lane: ScriptRunner
  table: ScriptTable
  written: { characters: number }
}

export const openScripts = (engine: ScriptEngine, owner: string): TransactionScripts => ({
  engine,
  lane: engine.openRunner(owner),
  table: createScriptTable(),
  written: { characters: 0 },
})

/** What a script needs of the place that it runs in. */
export type ScriptPlace = HostCaller & {
  context: OperationContext
  reader: DocumentReader
  scripts: TransactionScripts
  names(): ScriptNames
}
