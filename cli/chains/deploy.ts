import { CliError, EXIT, type ExitCode, type Problem, RefusedError } from '../failures/index.js'
import { chainEntity, type PlanEntity, planEntity, type Server } from '../server/index.js'
import type { Terminal } from '../terminal/index.js'
import { type ChainFile, readChainFiles } from './chain-file.js'
import { calledBy, deployOrder, mentions } from './deploy-order.js'
import { planLines } from './plan-tree.js'
import { problemLines } from './problem-lines.js'

export type DeployOptions = { id?: string; dryRun?: boolean }

export type Deployment = { server: Server; terminal: Terminal }

const HTTP_UNPROCESSABLE = 422

const put = ({ id, text, contentType }: ChainFile, query = '') =>
  [
    `/contributions/chains/${encodeURIComponent(id)}${query}`,
    { method: 'PUT' as const, headers: { 'content-type': contentType }, body: text },
  ] as const

const problemsOf = (error: unknown): readonly Problem[] => {
  if (!(error instanceof RefusedError) || error.status !== HTTP_UNPROCESSABLE) throw error
  return error.problems.length > 0 ? error.problems : [{ message: error.message }]
}

type Check = { file: ChainFile; plan?: PlanEntity; problems: readonly Problem[] }

const check = async (server: Server, file: ChainFile): Promise<Check> => {
  try {
    return { file, plan: await server.read(planEntity, ...put(file, '?dryRun=true')), problems: [] }
  } catch (error) {
    return { file, problems: problemsOf(error) }
  }
}

/** What a problem's line names may be a chain of another file, unknown only until that is deployed. */
const isAboutCallee = ({ line }: Problem, file: ChainFile, files: readonly ChainFile[]): boolean => {
  const source = line === undefined ? undefined : file.text.split(/\r\n|\r|\n/)[line - 1]
  return source !== undefined && calledBy(file, files).some(({ id }) => mentions(source, id))
}

const report = ({ terminal }: Deployment, checks: readonly Check[]): void => {
  for (const { file, problems } of checks)
    for (const problem of problems) for (const line of problemLines(file, problem)) terminal.error(line)
}

/** What is deployed all the same. */
const warn = ({ terminal }: Deployment, file: ChainFile, warnings: readonly Problem[]): void => {
  for (const warning of warnings)
    for (const line of problemLines(file, warning, { isWarning: true })) terminal.error(line)
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const checkAll = async (deployment: Deployment, files: readonly ChainFile[]): Promise<Check[]> => {
  const checks: Check[] = []
  for (const file of files) checks.push(await check(deployment.server, file))
  const wrong = checks
    .map(({ file, problems }) => ({
      file,
      problems: problems.filter((problem) => !isAboutCallee(problem, file, files)),
    }))
    .filter(({ problems }) => problems.length > 0)
  if (wrong.length === 0) return checks
  report(deployment, wrong)
  const problems = wrong.reduce((sum, one) => sum + one.problems.length, 0)
  throw new CliError(
    EXIT.invalid,
    `${countOf(problems, 'problem')} in ${countOf(wrong.length, 'file')}; nothing was deployed`,
  )
}

const showPlans = (deployment: Deployment, checks: readonly Check[]): void => {
  const { terminal } = deployment
  for (const { file, plan } of checks) {
    if (plan) {
      warn(deployment, file, plan.warnings)
      for (const line of planLines(plan)) terminal.out(line)
    } else terminal.out(`${file.id}: calls chains that are not deployed yet; checked when they are`)
  }
}

const deployOne = async (deployment: Deployment, file: ChainFile, deployed: number): Promise<void> => {
  const { server, terminal } = deployment
  try {
    const { id, version, warnings } = await server.read(chainEntity, ...put(file))
    warn(deployment, file, warnings)
    terminal.out(`${id}  version ${version}`)
  } catch (error) {
    report(deployment, [{ file, problems: problemsOf(error) }])
    throw new CliError(
      EXIT.invalid,
      `${file.path} was refused; ${countOf(deployed, 'chain')} deployed before it`,
    )
  }
}

/**
 * Checks all chains, and deploys them when nothing is wrong with any. A chain that calls another of the files
 * comes after it.
 */
export const deploy = async (
  deployment: Deployment,
  { paths, options }: { paths: readonly string[]; options: DeployOptions },
): Promise<ExitCode> => {
  const files = deployOrder(await readChainFiles(paths, options.id))
  const checks = await checkAll(deployment, files)
  if (options.dryRun) showPlans(deployment, checks)
  else for (const [index, file] of files.entries()) await deployOne(deployment, file, index)
  return EXIT.ok
}
