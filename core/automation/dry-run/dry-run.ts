import type { Principal } from '../../access/security/index.js'
import { fail, ifFound } from '../../platform/errors/index.js'
import {
  executeCatching,
  executionOf,
  type SegmentDependencies,
  throwIfLate,
  withinTimeLimit,
} from '../execution/index.js'
import {
  type ChainDefinition,
  createDocumentReader,
  type DryRunLoop,
  type DryRunNotes,
  documentsValue,
  type OperationServices,
  startVariables,
  type Value,
  VOID,
} from '../language/index.js'
import { planChain, type RunRequest } from '../planning/index.js'
import {
  createIncidentLog,
  type Effects,
  failuresWithPaths,
  type KeptIncident,
  type UnitOfWork,
  withPaths,
} from '../run-store/index.js'
import { type DryRunCommand, dryRunCommands } from './dry-run-command.js'

/** Seconds: everything that is changed meanwhile is held against others. */
const LONGEST = 60

/** What a call would come to. */
export type DryRun = {
  output: Value
  effects: Effects
  /** Steps at which it would have committed, so that others could have seen and changed what was done. */
  boundaries: number
  /** Loops whose items would have had transactions of their own. */
  loops: readonly DryRunLoop[]
  /** What it would have gone on after. */
  incidents: readonly KeptIncident[]
  commands: readonly DryRunCommand[]
}

/** Thrown to keep nothing. */
const undo = new Error('A dry run keeps nothing')

const withoutOutside = (services: OperationServices, dryRun: DryRunNotes): OperationServices => ({
  ...services,
  dryRun,
  switches: { ...services.switches },
  recording: { ...services.recording },
  http: async ({ url }) => {
    throw fail('badRequest', `A dry run asks no other server: ${url}`)
  },
})

/** What acts for somebody else may do what its caller may not see: such documents are reported by their ids alone. */
const effectsFor = async ({ session, transient, effects }: UnitOfWork): Promise<Effects> => {
  const all = await effects()
  const ids = [
    ...new Set(
      all.events.flatMap(({ path, documentId }) => (path !== null && documentId ? [documentId] : [])),
    ),
  ]
  const seen = await createDocumentReader(session, transient).many({ type: 'documents', ids })
  const visible = new Set(seen.map(({ id }) => id))
  const events = all.events.map((event) =>
    event.documentId !== null && visible.has(event.documentId) ? event : { ...event, path: null, type: null },
  )
  return { ...all, events }
}

/** What a run gives of documents, for who has called it. */
const outputFor = async ({ session, transient }: UnitOfWork, output: Value): Promise<Value> => {
  if (!('isOfOthers' in output)) return output
  const { many } = createDocumentReader(session, transient)
  if (output.type === 'documents') return documentsValue(await many(output))
  return (await ifFound(many(output))) ? output : VOID
}

/** What a dry run has: its transaction, what acts in it, and what ends it. */
export type DryRunPlace = {
  unit: UnitOfWork
  /** Those of what acts in it: they reach no other server. */
  dependencies: SegmentDependencies
  notes: DryRunNotes
  signal: AbortSignal
}

/**
 * Does work in a transaction that is rolled back.
 *
 * @throws what the work throws; timeout after a minute.
 */
export const keepingNothing = async <Result>(
  dependencies: SegmentDependencies,
  { principal, signal }: { principal: Principal; signal: AbortSignal },
  work: (place: DryRunPlace) => Promise<Result>,
): Promise<Result> => {
  let done: { result: Result } | undefined
  try {
    await withinTimeLimit({ signal, seconds: LONGEST }, (limited) =>
      dependencies.units.transaction(principal, async (unit) => {
        const notes: DryRunNotes = { loops: [], commands: [] }
        const inside = { ...dependencies, services: withoutOutside(dependencies.services, notes) }
        const result = await work({ unit, dependencies: inside, notes, signal: limited })
        throwIfLate(limited)
        done = { result }
        throw undo
      }),
    )
  } catch (error) {
    if (error !== undo) throw error
  }
  if (!done) throw fail('internal', 'The dry run has no result')
  return done.result
}

/**
 * Runs a chain, or an operation as a chain of one step, in a single transaction that is rolled back, and reports what it
 * has done. Steps that would commit go on in that transaction; other servers are not asked, and no mail is sent. The
 * documents of the output do not exist.
 *
 * @throws what a step throws; timeout after a minute; badRequest for what would be done outside of the database.
 */
export const dryRunChain = (
  dependencies: SegmentDependencies,
  {
    chain,
    request,
    principal,
    signal,
  }: { chain: ChainDefinition; request: RunRequest; principal: Principal; signal: AbortSignal },
): Promise<DryRun> => {
  const plan = planChain(chain, dependencies.registry)
  const variables = startVariables(chain, request)
  return keepingNothing(dependencies, { principal, signal }, async (place) => {
    const { unit, notes, dependencies: inside, signal: limited } = place
    const log = createIncidentLog()
    const execution = executionOf(inside, unit, { chains: {}, signal: limited, report: log.report })
    const { output } = await executeCatching(execution, {
      steps: chain.steps,
      onError: chain.onError,
      input: request.input,
      variables: { ...variables },
    })
    throwIfLate(limited)
    const loops = notes.loops.map(async (loop) => ({
      ...loop,
      failures: await failuresWithPaths(unit, loop.failures),
    }))
    return {
      output: await outputFor(unit, output),
      effects: await effectsFor(unit),
      boundaries: plan.nodes.filter(({ kind }) => kind !== 'segment').length,
      loops: await Promise.all(loops),
      incidents: await withPaths(unit, log.all()),
      // They would begin after the commit.
      commands: await dryRunCommands(place, notes.commands),
    }
  })
}
