import type { Writer } from './content.js'
import type { Installation } from './installation.js'

/** Runs that are open, or have failed, when the installation is stopped: each works on the files of a folder. */

const PLACE = '/default-domain/workspaces/runs'
const FILES = 5
/** The file that the recording holds, so that every run waits at its third item. */
export const GATE = 'f2'
/** Names no property, so that an item fails which is to write it. */
const BAD = 'no:such'

const appendTo = (xpath: string): string =>
  `- Document.SetProperty: {xpath: '${xpath}', value: 'expr:@{Document["${xpath}"] == null ? "" : Document["${xpath}"]}x'}\n`

const FOUND = `params:
- folder: {type: string, required: true}
operations:
- Repository.Query: {query: 'expr:SELECT * FROM File WHERE ecm:path STARTSWITH "@{ChainParameters["folder"]}" ORDER BY ecm:name'}
- Context.SetInputAsVar: {name: found}
`
const RESTORE = '- Context.RestoreDocumentInput: {name: item}\n'
const SKIP = 'rollbackGlobalOnError: false'

/** Appends to one property, commits, and appends to another unless its file names a bad one. */
const PARTS = `${appendTo('dc:rights')}- RunInNewTransaction: {id: touch}
${appendTo('dc:coverage')}- Document.SetProperty: {xpath: 'expr:@{Document["dc:source"]}', value: done}
`

const CHAINS: { readonly [id: string]: string } = {
  mark: appendTo('dc:rights'),
  touch: '- Log: {message: touched}\n',
  'mark-item': `${RESTORE}${appendTo('dc:rights')}`,
  parts: PARTS,
  'parts-item': `${RESTORE}${PARTS}`,
  'each-in-a-transaction': `${FOUND}- Context.RunOperationOnListInNewTx: {id: mark-item, list: found}\n`,
  'each-as-a-run': `${FOUND}- RunOperationOnListInNewTx: {id: parts-item, list: found}\n`,
  'each-or-none': `${FOUND}- RunOperationOnListInNewTx: {id: parts-item, list: found, ${SKIP}}\n`,
  'one-below': `params:
- folder: {type: string, required: true}
operations:
- Repository.GetDocument: {value: 'expr:@{ChainParameters["folder"]}/${GATE}'}
- RunInNewTransaction: {id: parts}
- Repository.GetDocument: {value: 'expr:@{ChainParameters["folder"]}'}
${appendTo('dc:rights')}`,
}

/** How often the first and the second part of each file of a folder are done: `x|x` is once each. */
export type Marks = readonly string[]

/** A run to record, by the folder whose files it works on. */
export type PlannedRun = {
  folder: string
  chain: string
  /** Files that fail until somebody mends them. */
  bad?: readonly number[]
  /** How the folder's files are to be in the end. */
  expected: Marks
}

/** One that was recorded, with its id. */
export type RecordedRun = PlannedRun & { id: string }

const all = (marks: string): Marks => Array(FILES).fill(marks)
const gateAlone = (marks: string): Marks => ['|', '|', marks, '|', '|']

/** They wait for the file that is held, and go on by themselves after the upgrade. */
export const openRuns: readonly PlannedRun[] = [
  { folder: 'in-a-transaction', chain: 'each-in-a-transaction', expected: all('x|') },
  { folder: 'as-a-run', chain: 'each-as-a-run', expected: all('x|x') },
  { folder: 'below', chain: 'one-below', expected: gateAlone('x|x') },
]

/** They have ended before, and are retried after the upgrade, once their files are mended. */
export const failedItems: PlannedRun = {
  folder: 'failed-items',
  chain: 'each-or-none',
  bad: [1, 3],
  expected: all('x|x'),
}
export const failedRun: PlannedRun = {
  folder: 'failed-run',
  chain: 'each-as-a-run',
  bad: [1],
  expected: all('x|x'),
}

/** Waits, too, as the run of a schedule whose times are rare. */
export const scheduledRun: PlannedRun = {
  folder: 'scheduled',
  chain: 'each-in-a-transaction',
  expected: all('x|'),
}
const SCHEDULE_NAME = 'nightly'
const SCHEDULE = `chain: ${scheduledRun.chain}
cron: 0 3 29 2 *
params: {folder: ${PLACE}/${scheduledRun.folder}}
`

/** Waits as the run of a bulk command. */
export const bulkRun: PlannedRun = { folder: 'in-bulk', chain: 'mark', expected: all('x|') }

/** A handler of new documents in a folder, one of which is made when no worker is there to relay the event. */
export const handler = { name: 'arrived', folder: 'arriving', document: 'late' }
const HANDLER = `events: [documentCreated]
postCommit: true
chain: arrived
pathStartsWith: ${PLACE}/${handler.folder}/
`

export const folderOf = ({ folder }: { folder: string }): string => `${PLACE}/${folder}`
export const fileOf = (run: { folder: string }, index: number): string => `${folderOf(run)}/f${index}`

export const deployAll = async ({ deploy }: Writer): Promise<void> => {
  for (const [id, yaml] of Object.entries(CHAINS)) await deploy('chains', id, yaml)
  await deploy('chains', 'arrived', `- Context.FetchDocument\n${appendTo('dc:rights')}`)
  await deploy('schedules', SCHEDULE_NAME, SCHEDULE)
  await deploy('eventHandlers', handler.name, HANDLER)
}

export const makeFiles = async ({ make }: Writer): Promise<void> => {
  await make('/default-domain/workspaces', 'Workspace', 'runs')
  await make(PLACE, 'Folder', handler.folder)
  for (const { folder, bad = [] } of [...openRuns, failedItems, failedRun, scheduledRun, bulkRun]) {
    await make(PLACE, 'Folder', folder)
    for (let index = 0; index < FILES; index++)
      await make(`${PLACE}/${folder}`, 'File', `f${index}`, {
        'dc:source': bad.includes(index) ? BAD : 'dc:description',
      })
  }
}

/** Lets the bad files be worked on. */
export const mend = async ({ change }: Writer, { bad = [], ...run }: PlannedRun): Promise<void> => {
  for (const index of bad) await change(fileOf(run, index), { 'dc:source': 'dc:description' })
}

/** Starts a run of a chain on the files of a folder. @returns its id. */
export const startRun = async (
  { call }: Pick<Installation, 'call'>,
  { folder, chain }: PlannedRun,
): Promise<string> => {
  const body = { params: { folder: folderOf({ folder }) } }
  const { status, text, headers } = await call(`automation/${chain}/@async`, { method: 'POST', body })
  const id = headers.get('Archivolt-Workflow-Id')
  if (status !== 202 || !id) throw new Error(`${chain}: ${status} ${text}`)
  return id
}

/** Marks the files of a folder in bulk, each in a transaction of its own. @returns the id of its run. */
export const startBulk = async ({ send }: Writer): Promise<string> => {
  const query = `SELECT * FROM File WHERE ecm:path STARTSWITH '${folderOf(bulkRun)}'`
  const asked = new URLSearchParams({ query, bucketSize: '1', batchSize: '1' })
  const body = { operationId: bulkRun.chain, parameters: {} }
  const { commandId } = await send(`search/bulk/automationUi?${asked}`, 'POST', body)
  return `bulk-${commandId}`
}

/** Lets the schedule begin a run at once. @returns its id. */
export const runSchedule = async ({ send }: Writer): Promise<string> =>
  String((await send(`automation/schedules/${SCHEDULE_NAME}/run`, 'POST', undefined)).workflowId)

/** How far the files of a folder have come. */
export const marksOf = ({ send }: Writer, run: { folder: string }): Promise<string[]> =>
  Promise.all(
    Array.from({ length: FILES }, async (_, index) => {
      const { properties } = await send(`path${fileOf(run, index)}`, 'GET', undefined, {
        headers: { properties: 'dublincore' },
      })
      const { 'dc:rights': first, 'dc:coverage': second } = properties as Record<string, string | null>
      return `${first ?? ''}|${second ?? ''}`
    }),
  )
