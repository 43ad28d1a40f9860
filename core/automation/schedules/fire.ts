import type { Principal } from '../../access/security/index.js'
import { emitWithoutDocument, getNamedDocument, type Session } from '../../content/documents/index.js'
import { fail } from '../../platform/errors/index.js'
import { type Registry, VOID } from '../language/index.js'
import { planRun, type RunStart } from '../planning/index.js'
import type { UnitsOfWork } from '../run-store/index.js'
import type { Schedule } from './schedules-point.js'

/** One time of a schedule. */
export type Firing = {
  schedule: Schedule
  principal: Principal
  /** Id of the run that it starts. */
  runId: string
}

/** Said before the chain begins, which may need the document only later, or fail for want of it with another reason. */
const requireInput = async (session: Session, { name, input }: Schedule): Promise<void> => {
  if (input === undefined) return
  await getNamedDocument(session, input, `The input of the schedule '${name}' is not there: ${input}`)
}

/**
 * The run of a schedule's chain, as that is deployed now.
 *
 * @throws notFound for a chain or an input that is not there any more, and what `planRun` throws.
 */
export const planScheduled = async (
  { schedule, principal, runId }: Firing,
  { registry, units }: { registry: Registry; units: UnitsOfWork },
): Promise<RunStart> => {
  const { chain, input, params, repository } = schedule
  const callable = chain === undefined ? undefined : registry.find(chain)
  if (callable?.kind !== 'chain') throw fail('notFound', `No chain '${chain}' is deployed`)
  await requireInput(units.reading(principal).session, schedule)
  const request = {
    input: input === undefined ? VOID : { type: 'document' as const, id: input },
    params,
    variables: {},
  }
  return planRun(
    { chain: callable.chain, registry, request, principal, requestId: runId },
    { units, repository },
  )
}

/** Emits the event of a schedule, once for each firing however often it is asked. */
export const emitScheduled = (
  { schedule: { name, event, category }, principal, runId }: Firing,
  units: UnitsOfWork,
): Promise<void> =>
  units.transaction(principal, async ({ session, receipts }) => {
    if (event === undefined) throw fail('notFound', `The schedule '${name}' emits no event any more`)
    if (!(await receipts.record({ workflowId: runId, step: 'event' }, { event }))) return
    const payload = { schedule: name, ...(category !== undefined && { category }) }
    await emitWithoutDocument(session, { event, documentId: null, payload })
  })
