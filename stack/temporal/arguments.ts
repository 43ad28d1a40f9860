import { LOOPBACK } from '../process/index.js'

/**
 * The development server polls its one history shard 20 times a second, which costs 50 ms a step, and spreads
 * a task queue over four partitions, where one run in ten waits 2 s: see docs/operations.md.
 */
export const DYNAMIC_CONFIG: Readonly<Record<string, number | boolean>> = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 200,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'matching.useNewMatcher': true,
  'system.enableActivityEagerExecution': true,
  'system.enableEagerWorkflowStart': true,
}

/** What an operator can search runs by. */
const SEARCH_ATTRIBUTES: readonly string[] = [
  ...['ChainId', 'Principal', 'DocumentId', 'EventName', 'RequestId'].map((name) => `${name}=Keyword`),
  'FailedItems=Int',
  'RouteModel=Keyword',
  'Node=KeywordList',
  'Assignee=KeywordList',
  'Escalation=KeywordList',
  'DueDate=Datetime',
]

export type TemporalPorts = { port: number; uiPort: number }

/** Arguments of `temporal`; `databaseFile` absent keeps everything in memory. */
export const serverArguments = ({ port, uiPort }: TemporalPorts, databaseFile?: string): string[] => [
  'server',
  'start-dev',
  '--ip',
  LOOPBACK,
  '--port',
  String(port),
  '--ui-port',
  String(uiPort),
  ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
  ...SEARCH_ATTRIBUTES.flatMap((attribute) => ['--search-attribute', attribute]),
  ...(databaseFile
    ? [
        '--db-filename',
        databaseFile,
        '--sqlite-pragma',
        'journal_mode=wal',
        '--sqlite-pragma',
        'synchronous=normal',
      ]
    : []),
]
