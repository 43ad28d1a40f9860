import {
  createDocumentReader,
  type DocumentReader,
  type NestedCall,
  type Value,
  type Variables,
} from '../../language/index.js'
import {
  createScriptTable,
  forgetRecords,
  openScripts,
  type TransactionScripts,
} from '../../scripted-operations/index.js'
import type { Execution } from '../execution.js'
import { type Acting, actingWithin, goOnAs, openActing, ownedBy } from './acting.js'

/** A chain or operation called by id from inside a run, on its own copy of the variables or on the caller's. */
export type RunNested = (frame: Frame, caller: Variables, call: NestedCall) => Promise<Value>

/** A place in a run: the execution that it goes through, and what it has opened on its way. Files belong to who runs it. */
export type Frame = Omit<Execution, 'scripts'> & {
  scripts: TransactionScripts
  reader: DocumentReader
  acting: Acting
  depth: number
  runNested: RunNested
  /** Steps of a deployed chain: who deployed it answers for what it calls. */
  isDeployed: boolean
}

/** The outermost place of an execution. */
export const frameOf = (
  execution: Execution,
  { isDeployed, runNested }: Pick<Frame, 'isDeployed' | 'runNested'>,
): Frame => ({
  ...execution,
  services: ownedBy(execution.session.principal, execution.services),
  scripts: openScripts(execution.scripts, execution.session.principal.name),
  reader: createDocumentReader(execution.session, execution.transient),
  acting: openActing(),
  depth: 0,
  runNested,
  isDeployed,
})

/** The same place in a run, going through a savepoint of its transaction. Scripts read documents again there, and after. */
export const attemptIn = async <Result>(
  frame: Frame,
  work: (inner: Frame) => Promise<Result>,
): Promise<Result> => {
  const { scripts, depth, runNested, isDeployed } = frame
  let acting: Acting | undefined
  const result = await frame.attempt((execution) => {
    acting = actingWithin(frame)
    return work({
      ...execution,
      signal: frame.signal,
      services: ownedBy(execution.session.principal, execution.services),
      scripts: { ...scripts, table: createScriptTable() },
      reader: createDocumentReader(execution.session, execution.transient),
      acting,
      depth,
      runNested,
      isDeployed,
    })
  })
  if (acting) goOnAs(frame, acting)
  forgetRecords(scripts.table)
  return result
}
