import { browsablePaths, type LoopFailure, type UnitOfWork } from '../../core/automation/index.js'
import type { ReportedLoop, RunReport } from './run-report.js'

/** A failed item with the path of its document, told to who may browse that. */
export type NamedFailure = LoopFailure & { path?: string }

type Paths = ReadonlyMap<string, string>
type Reading = Pick<UnitOfWork, 'session' | 'transient'>

const named = <Failure extends LoopFailure>(failure: Failure, paths: Paths): Failure & NamedFailure => {
  const path = paths.get(failure.id ?? '')
  return { ...failure, ...(path !== undefined && { path }) }
}

const idsOf = (failures: readonly LoopFailure[]): string[] => failures.flatMap(({ id }) => id ?? [])

const failuresOf = ({ failures, stopped }: ReportedLoop): LoopFailure[] => [
  ...failures,
  ...(stopped ? [stopped] : []),
]

/** Failed items with the paths of their documents. */
export const itemsWithPaths = async <Failure extends LoopFailure>(
  unit: Reading,
  failures: readonly Failure[],
): Promise<(Failure & NamedFailure)[]> => {
  const paths = await browsablePaths(unit, idsOf(failures))
  return failures.map((failure) => named(failure, paths))
}

/** A report whose failed items have the paths of their documents. */
export const reportWithPaths = async (unit: Reading, report: RunReport): Promise<RunReport> => {
  const { nodes = [], loop: current } = report
  const loops = [...nodes.flatMap(({ loop }) => loop ?? []), ...(current ? [current] : [])]
  const ids = idsOf(loops.flatMap(failuresOf))
  if (ids.length === 0) return report
  const paths = await browsablePaths(unit, ids)
  const namedLoop = ({ failures, stopped, ...loop }: ReportedLoop): ReportedLoop => ({
    ...loop,
    failures: failures.map((failure) => named(failure, paths)),
    ...(stopped && { stopped: named(stopped, paths) }),
  })
  return {
    ...report,
    ...(report.nodes && {
      nodes: nodes.map(({ loop, ...node }) => ({ ...node, ...(loop && { loop: namedLoop(loop) }) })),
    }),
    ...(current && { loop: namedLoop(current) }),
  }
}
