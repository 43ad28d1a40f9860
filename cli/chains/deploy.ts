import { CliError, EXIT, type ExitCode, type Problem, RefusedError } from '../failures/index.js'
import {
  type DeployedEntity,
  deployedEntities,
  type PlannedEntity,
  plannedEntities,
  type Server,
} from '../server/index.js'
import { printableLine, type Terminal } from '../terminal/index.js'
import { type ChainFile, readChainFiles } from './chain-file.js'
import { planLines } from './plan-tree.js'
import { problemLines } from './problem-lines.js'

export type DeployOptions = { id?: string; dryRun?: boolean }

export type Deployment = { server: Server; terminal: Terminal }

const HTTP_UNPROCESSABLE = 422

/** All files in one request: they are deployed together or not at all. */
const post = (files: readonly ChainFile[], query = '') =>
  [
    `/contributions${query}`,
    {
      method: 'POST' as const,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        contributions: files.map(({ id: name, format, text }) => ({ name, format, text })),
      }),
    },
  ] as const

/** Reports problems where they stand in a text. */
export const showProblems = (
  { terminal }: Deployment,
  file: Pick<ChainFile, 'path' | 'text'>,
  { problems, isWarning = false }: { problems: readonly Problem[]; isWarning?: boolean },
): void => {
  for (const problem of problems)
    for (const line of problemLines(file, problem, {
      isWarning: isWarning || problem.severity === 'warning',
    }))
      terminal.error(line)
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Reports the problems of each file. @throws CliError. */
const refuse = (deployment: Deployment, files: readonly ChainFile[], error: unknown): never => {
  const isRefusal = error instanceof RefusedError && error.status === HTTP_UNPROCESSABLE
  if (!isRefusal || error.problems.length === 0) throw error
  const [only] = files.length === 1 ? [0] : []
  const ofFile = (position: number): readonly Problem[] =>
    error.problems.filter(({ source = only }) => source === position)
  for (const [position, file] of files.entries())
    showProblems(deployment, file, { problems: ofFile(position) })
  const wrong = error.problems.filter(({ severity }) => severity !== 'warning')
  const inFiles = new Set(wrong.map(({ source = only }) => source)).size
  throw new CliError(
    EXIT.invalid,
    `${countOf(wrong.length, 'problem')} in ${countOf(inFiles, 'file')}; nothing was deployed`,
  )
}

/** Reports warnings, which do not prevent the deployment, where they stand in a text. */
export const showWarnings = (
  deployment: Deployment,
  file: Pick<ChainFile, 'path' | 'text'>,
  warnings: readonly Problem[],
): void => showProblems(deployment, file, { problems: warnings, isWarning: true })

const warn = (
  deployment: Deployment,
  files: readonly ChainFile[],
  { source = 0, warnings }: Pick<PlannedEntity, 'source' | 'warnings'>,
): void => {
  const file = files[source]
  if (file) showWarnings(deployment, file, warnings)
}

const nameOf = ({ point, id }: { point: string; id: string }): string =>
  printableLine(point === 'chains' ? id : `${point}/${id}`)

const showPlan = ({ terminal }: Deployment, planned: PlannedEntity): void => {
  const { segments, signatures, chainId = planned.id, boundaries = 0, unchanged } = planned
  if (segments && signatures)
    for (const line of planLines({ chainId, segments, signatures, boundaries })) terminal.out(line)
  else terminal.out(nameOf(planned))
  if (unchanged) terminal.out('   as it is deployed already')
}

/** Says which version something has become. */
export const showDeployed = ({ terminal }: Deployment, deployed: DeployedEntity): void => {
  const { version, unchanged, sameAs } = deployed
  const how = unchanged ? ', unchanged' : sameAs === undefined ? '' : `, as version ${sameAs}`
  terminal.out(`${nameOf(deployed)}  version ${version}${how}`)
}

/**
 * Checks all files together, and deploys them when none has errors: chains, scripted operations, and files of
 * several contributions, which may refer to one another in any order.
 */
export const deploy = async (
  deployment: Deployment,
  { paths, options }: { paths: readonly string[]; options: DeployOptions },
): Promise<ExitCode> => {
  const files = await readChainFiles(paths, options.id)
  const { server } = deployment
  try {
    if (options.dryRun) {
      const { entries } = await server.read(plannedEntities, ...post(files, '?dryRun=true'))
      for (const planned of entries) {
        warn(deployment, files, planned)
        showPlan(deployment, planned)
      }
    } else {
      const { entries } = await server.read(deployedEntities, ...post(files))
      for (const deployed of entries) {
        warn(deployment, files, deployed)
        showDeployed(deployment, deployed)
      }
    }
  } catch (error) {
    refuse(deployment, files, error)
  }
  return EXIT.ok
}
