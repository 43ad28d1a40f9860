import type { NamedFailure } from '../../core/automation/language/index.js'
import { failuresWithPaths, type UnitOfWork } from '../../core/automation/run-store/index.js'
import type { ReportedLoop, RunReport } from './run-report.js'

const failuresOf = ({ failures, stopped }: ReportedLoop): NamedFailure[] => [
  ...failures,
  ...(stopped ? [stopped] : []),
]

/** A report whose failed items have the paths of their documents, as far as the reader may browse those. */
export const reportWithPaths = async (
  unit: Pick<UnitOfWork, 'session' | 'transient'>,
  report: RunReport,
): Promise<RunReport> => {
  const { nodes, loop: current } = report
  const loops = [...(nodes ?? []).flatMap(({ loop }) => loop ?? []), ...(current ? [current] : [])]
  const told = loops.flatMap(failuresOf)
  const names = new Map((await failuresWithPaths(unit, told)).map((failure, index) => [told[index], failure]))
  const named = (failure: NamedFailure): NamedFailure => names.get(failure) ?? failure
  const namedLoop = ({ failures, stopped, ...loop }: ReportedLoop): ReportedLoop => ({
    ...loop,
    failures: failures.map(named),
    ...(stopped && { stopped: named(stopped) }),
  })
  return {
    ...report,
    ...(nodes && {
      nodes: nodes.map(({ loop, ...node }) => ({ ...node, ...(loop && { loop: namedLoop(loop) }) })),
    }),
    ...(current && { loop: namedLoop(current) }),
  }
}
