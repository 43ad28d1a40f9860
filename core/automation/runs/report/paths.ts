import type { NamedFailure } from '../../language/index.js'
import { failuresWithPaths, type UnitOfWork } from '../../run-store/index.js'
import type { ReportedLoop, RunReport } from './types.js'

const failuresOf = ({ failures, stopped }: ReportedLoop): NamedFailure[] => [
  ...failures,
  ...(stopped ? [stopped] : []),
]

/** A report whose failed items have the paths of their documents, as far as the reader may browse them. */
export const reportWithPaths = async (
  unit: Pick<UnitOfWork, 'session' | 'transient'>,
  report: RunReport,
): Promise<RunReport> => {
  const { nodes, loop: current } = report
  const loops = [...(nodes ?? []).flatMap(({ loop }) => loop ?? []), ...(current ? [current] : [])]
  const failures = loops.flatMap(failuresOf)
  const withPaths = await failuresWithPaths(unit, failures)
  const names = new Map(withPaths.map((failure, index) => [failures[index], failure]))
  const named = (failure: NamedFailure): NamedFailure => names.get(failure) ?? failure
  const namedLoop = (loop: ReportedLoop): ReportedLoop => ({
    ...loop,
    failures: loop.failures.map(named),
    ...(loop.stopped && { stopped: named(loop.stopped) }),
  })
  return {
    ...report,
    ...(nodes && {
      nodes: nodes.map(({ loop, ...node }) => ({ ...node, ...(loop && { loop: namedLoop(loop) }) })),
    }),
    ...(current && { loop: namedLoop(current) }),
  }
}
