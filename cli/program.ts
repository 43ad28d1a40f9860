import { Command } from 'commander'
import { type DeployOptions, deploy, listChains, showSchema } from './chains/index.js'
import { addContributionCommands } from './contribution-commands.js'
import { addConversionCommands } from './conversion-commands.js'
import { EXIT, type ExitCode, exitCodeLines } from './failures/index.js'
import {
  cancelRun,
  type FollowOptions,
  listRuns,
  openRun,
  type ResultOptions,
  type RetryOptions,
  type RunOptions,
  type RunsOptions,
  retryRun,
  runChain,
  type StatusOptions,
  showLogs,
  showResultOf,
  showStatus,
  type Watch,
} from './runs/index.js'
import { listSchedules, runSchedule } from './schedules/index.js'
import {
  compareWithIndex,
  type IndexOptions,
  rebuildIndex,
  showIndexes,
  showIndexFailures,
} from './search-index/index.js'
import { createServer } from './server/index.js'
import {
  type Credentials,
  createCredentials,
  DEFAULT_URL,
  type LoginOptions,
  login,
  resolveLogin,
} from './session/index.js'
import type { Terminal } from './terminal/index.js'
import { unlockUser } from './users/index.js'
import { commandVersion } from './version.js'
import { addWebhookCommands } from './webhooks/index.js'
import { addWorkflowCommands } from './workflows/index.js'

export type CliContext = {
  terminal: Terminal
  environment: NodeJS.ProcessEnv
  interrupted: AbortSignal
}

const collect = (text: string, texts: string[]): string[] => [...texts, text]

const ENVIRONMENT = [
  '  ARCHIVOLT_URL       the server; default: that of the last login',
  '  ARCHIVOLT_USER      the user',
  '  ARCHIVOLT_PASSWORD  the password',
  '  XDG_CONFIG_HOME     where the login is stored; default: ~/.config',
]

/** The dependencies of the commands. `connected` resolves the login only when a command runs: help needs none. */
type Commands = CliContext & {
  program: Command
  credentials: Credentials
  connected(work: (watch: Watch) => Promise<ExitCode>): Promise<void>
  finish(exitCode: ExitCode): void
}

const addSessionCommands = ({ program, credentials, finish, ...context }: Commands): void => {
  program
    .command('login')
    .description('check a user and password with the server, and store them for later commands')
    .argument('[url]', `address of the server; default: ARCHIVOLT_URL or ${DEFAULT_URL}`)
    .option('--user <name>', 'the user; default: prompt')
    .option('--password-stdin', 'read the password from the standard input')
    .action(async (url: string | undefined, options: LoginOptions) => {
      await login({ ...context, credentials }, { url, options })
      finish(EXIT.ok)
    })

  program
    .command('logout')
    .description('remove the stored user and password')
    .action(async () => {
      const isRemoved = await credentials.remove()
      context.terminal.error(isRemoved ? `Removed ${credentials.file}` : 'There was no login')
      finish(EXIT.ok)
    })
}

const FILES =
  'YAML, JSON or XML of a chain or script, which is called as the file is, or of several contributions, such as eventHandlers: {NAME: …}'

const addChainCommands = ({ program, connected }: Commands): void => {
  program
    .command('deploy')
    .description(
      'check chains, scripted operations and files of contributions, and deploy them when none has errors',
    )
    .argument('<file...>', FILES)
    .option('--id <id>', 'another id, for a single file')
    .option('--dry-run', 'deploy nothing, and show what would run')
    .action((paths: string[], options: DeployOptions) =>
      connected((deployment) => deploy(deployment, { paths, options })),
    )

  program
    .command('check')
    .description('check files without deploying them, and show what would run: deploy --dry-run')
    .argument('<file...>', FILES)
    .option('--id <id>', 'another id, for a single file')
    .action((paths: string[], options: DeployOptions) =>
      connected((deployment) => deploy(deployment, { paths, options: { ...options, dryRun: true } })),
    )

  program
    .command('chains')
    .description('list the chains that are deployed')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => connected((deployment) => listChains(deployment, options)))
}

const addSchemaCommand = ({ program, connected }: Commands): void => {
  program
    .command('schema')
    .description('print the JSON Schema by which editors complete and check YAML')
    .argument('[point]', 'chains, scripts, eventHandlers, …; default: a whole configuration file')
    .action((point: string | undefined) => connected((deployment) => showSchema(deployment, point)))
}

const OUTPUT = [
  '--output <path>',
  'save a result that is a file; - for the standard output, a folder for a list',
] as const

const addRunCommand = ({ program, connected }: Commands): void => {
  program
    .command('run')
    .description('run a chain or an operation, follow it, and print its result')
    .argument('<chain>')
    .option(
      '--input <input>',
      'doc:PATH-OR-ID, docs:ID,ID, a text, or @FILE (several times: files)',
      collect,
      [],
    )
    .option('--param <name=text>', 'a parameter; name:=JSON for a list or a map', collect, [])
    .option('--context <name=text>', 'a context variable; name:=JSON for a list or a map', collect, [])
    .option('--dry-run', 'change nothing, and show what would be done')
    .option('--async', 'print the id of the run and do not wait')
    .option(...OUTPUT)
    .option('--json', 'print the result as JSON')
    .option('--idempotency-key <key>', 'run the call once for this key, also when it has failed')
    .action((chain: string, options: RunOptions) => connected((watch) => runChain(watch, chain, options)))
}

const addInspectionCommands = ({ program, connected, environment }: Commands): void => {
  program
    .command('runs')
    .description('list runs: running ones first, then the last to end first')
    .option('--chain <id>', 'of this chain or operation')
    .option('--state <state>', 'running, completed, failed, cancelled, terminated or timed_out')
    .option('--user <name>', 'of this user; only administrators see the runs of others')
    .option('--document <ref>', 'called on this document, by path or id')
    .option('--event <name>', 'started by this event')
    .option('--from <time>', 'started then or later, as 2026-01-31T12:00:00Z')
    .option('--to <time>', 'started before')
    .option('--limit <number>', 'how many', '20')
    .option('--json', 'print JSON')
    .action((options: RunsOptions) => connected((watch) => listRuns(watch, options)))

  program
    .command('status')
    .description('show the state of a run; the exit code reports how it ended')
    .argument('<run>')
    .option('--watch', 'follow it to its end')
    .option('--json', 'print JSON')
    .action((id: string, options: StatusOptions) => connected((watch) => showStatus(watch, id, options)))

  program
    .command('logs')
    .description('show the steps of a run and every item that failed')
    .argument('<run>')
    .action((id: string) => connected((watch) => showLogs(watch, id)))

  program
    .command('result')
    .description('print the result of a run that has ended')
    .argument('<run>')
    .option(...OUTPUT)
    .option('--json', 'print the result as JSON')
    .action((id: string, options: ResultOptions) => connected((watch) => showResultOf(watch, id, options)))

  program
    .command('open')
    .description('print the address of a run in the Temporal UI, and open it in a browser where there is one')
    .argument('<run>')
    .action((id: string) => connected((watch) => openRun(watch, id, environment)))

  program
    .command('retry')
    .description('retry a run that failed or was cancelled from where it stopped, and follow it')
    .argument('<run>')
    .option('--items', 'retry the failed items of its loops instead, in a run of their own')
    .option('--item <position>', 'only this failed item, counted from 0 (repeatable)', collect, [])
    .option('--node <position>', 'only items of this loop, by its position among the steps, from 0')
    .option('--current', 'continue with the chain as it is deployed now')
    .option('--async', 'print the id of the run and do not wait')
    .option(...OUTPUT)
    .option('--json', 'print the result as JSON')
    .action((id: string, options: RetryOptions) => connected((watch) => retryRun(watch, id, options)))

  program
    .command('cancel')
    .description('stop a run; what it has committed stays, and retry continues after it')
    .argument('<run>')
    .action((id: string) => connected((watch) => cancelRun(watch, id)))
}

const addScheduleCommands = ({ program, connected }: Commands): void => {
  program
    .command('schedules')
    .description('list the schedules that are deployed, with their next times; for administrators')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => connected((watch) => listSchedules(watch, options)))

  program
    .command('trigger')
    .description('run a schedule now, and follow the run; for administrators')
    .argument('<schedule>')
    .option('--async', 'print the id of the run and do not wait')
    .option(...OUTPUT)
    .option('--json', 'print the result as JSON')
    .action((name: string, options: FollowOptions) => connected((watch) => runSchedule(watch, name, options)))
}

const addIndexCommands = ({ program, connected }: Commands): void => {
  const index = program
    .command('index')
    .description('show the search index, or look after it; for administrators')
    .option('--json', 'print JSON')
    .action((options: IndexOptions) => connected((watch) => showIndexes(watch, options)))

  index
    .command('rebuild')
    .description('build a new index beside the one that answers')
    .action(() => connected(rebuildIndex))

  index
    .command('drift')
    .description('compare the index with the repository; exit code 1 when they differ')
    .option('--repair', 'index again what differs')
    .option('--json', 'print JSON')
    .action((_, command: Command) => connected((watch) => compareWithIndex(watch, command.optsWithGlobals())))

  index
    .command('failures')
    .description('list the documents that the search engine has refused; exit code 1 when there are some')
    .option('--retry', 'index them again first')
    .option('--json', 'print JSON')
    .action((_, command: Command) =>
      connected((watch) => showIndexFailures(watch, command.optsWithGlobals())),
    )
}

const addUserCommand = ({ program, connected }: Commands): void => {
  program
    .command('unlock')
    .description('let a user log in for whom too many wrong passwords were sent; for administrators')
    .argument('<user>')
    .action((user: string) => connected((watch) => unlockUser(watch, user)))
}

/** The command line. Each command ends by a call of `finish` with its exit code, or throws. */
export const createProgram = (context: CliContext, finish: (exitCode: ExitCode) => void): Command => {
  const credentials = createCredentials(context.environment)
  const connected: Commands['connected'] = async (work) => {
    const server = createServer(
      resolveLogin(context.environment, await credentials.load()),
      context.interrupted,
    )
    finish(await work({ server, terminal: context.terminal, interrupted: context.interrupted }))
  }
  const program = new Command('archivolt')
    .description('Deploys automation chains to an Archivolt server, runs them and follows the runs.')
    .version(commandVersion(), '--version', 'print the version of this command')
    .option('--verbose', 'show all details of an error')
    .showHelpAfterError('(archivolt --help lists all commands)')
    .addHelpText(
      'after',
      ['', 'Environment:', ...ENVIRONMENT, '', 'Exit codes:', ...exitCodeLines()].join('\n'),
    )
  const commands = { ...context, program, credentials, connected, finish }
  const adding = [
    addSessionCommands,
    addChainCommands,
    addContributionCommands,
    addConversionCommands,
    addSchemaCommand,
    addRunCommand,
    addInspectionCommands,
    addScheduleCommands,
    addIndexCommands,
    addWebhookCommands,
    addWorkflowCommands,
    addUserCommand,
  ]
  for (const add of adding) add(commands)
  return program
}
