import { queryDocuments } from '../../content/documents/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { executeTarget, executionOf, type SegmentDependencies } from '../execution/index.js'
import { type BulkCommand, documentValue, finalFailure, type RunFailure } from '../language/index.js'
import { briefly, type UnitOfWork } from '../run-store/index.js'

/** A bulk command that a dry run gave: what it would begin with. */
export type DryRunCommand = {
  action: string
  /** Documents that it meets; absent: it would act for somebody else than who tries it. */
  total?: number
  /** What the first of them would come to; absent: there is none. */
  first?: {
    documentId: string
    path: string | null
    /** Names of its events, in order. */
    events: readonly string[]
    failure?: RunFailure
  }
}

type Place = { dependencies: SegmentDependencies; unit: UnitOfWork; signal: AbortSignal }

/** Commands that are tried: each does a document. */
const MOST = 10

const failureOf = async (
  { dependencies, unit, signal }: Place,
  { work: { target, parameters, chains } }: BulkCommand,
  document: DocumentRecord,
): Promise<RunFailure | undefined> => {
  const caller = { operation: target, params: {}, isLiteral: true }
  const call = {
    caller,
    variables: {},
    id: target,
    input: documentValue(document),
    parameters,
    isolate: true,
  }
  try {
    const execution = executionOf(dependencies, unit, { chains, signal, isBulk: true })
    await execution.attempt((inner) => executeTarget(inner, call))
    return undefined
  } catch (error) {
    const failure = finalFailure(error)
    if (!failure) throw error
    return briefly(failure)
  }
}

const tried = async (place: Place, command: BulkCommand): Promise<Pick<DryRunCommand, 'total' | 'first'>> => {
  const { session, effects } = place.unit
  if (command.principal !== session.principal.name) return {}
  const { entries, resultsCount } = await queryDocuments(session, command.query, { pageSize: 1 })
  const total = Math.min(resultsCount, command.queryLimit ?? resultsCount)
  const [document] = entries
  if (!document) return { total }
  const before = (await effects()).eventCount
  const failure = await failureOf(place, command, document)
  const events = (await effects()).events.slice(before).map(({ event }) => event)
  return {
    total,
    first: { documentId: document.id, path: document.path, events, ...(failure && { failure }) },
  }
}

/**
 * Tries the bulk commands that a transaction has given on the first document of each, in that transaction, which is not
 * to be committed. They act for its principal.
 */
export const dryRunCommands = async (place: Place, ids: readonly string[]): Promise<DryRunCommand[]> => {
  const commands: DryRunCommand[] = []
  for (const id of ids.slice(0, MOST)) {
    const command = await place.unit.bulk.find(id)
    // The step that gave it was undone.
    if (!command) continue
    commands.push({ action: command.action, ...(await tried(place, command)) })
  }
  return commands
}
