import { z } from 'zod'
import { idempotencyHeader } from '../idempotency/index.js'
import { file, JSON_TYPE, json, type ResponseDoc, routeGroup, text } from '../openapi/index.js'
import { documentGroup, forEachList } from '../rest/index.js'
import {
  callQuery,
  callRequest,
  dryRunEntity,
  itemsEntity,
  itemsQuery,
  itemsRequest,
  loginEntity,
  operationEntity,
  registryEntity,
  retryQuery,
  runEntity,
  runStatus,
  runsEntity,
  runsQuery,
  scheduleRunEntity,
  schedulesEntity,
  valueEntity,
} from './automation.schema.js'

const parts = z
  .object({ params: callRequest })
  .catchall(file)
  .describe('First the JSON of the call, then files, which are its input')

const headers = {
  'Archivolt-Workflow-Id': 'Id of the run, for chains',
  'Idempotent-Replayed': 'true: the run is that of an earlier call with the same Idempotency-Key',
}

const result: ResponseDoc = {
  description: 'What the call came to: an entity, a file, or files',
  content: { [JSON_TYPE]: valueEntity, 'multipart/mixed': file, '*/*': file },
  headers,
}
const results = { 200: result, 204: { description: 'It came to nothing', headers } }

/** What operations fail with, besides what is wrong with a call. */
const OF_CALLS = [409, 429, 500, 501, 503, 504] as const

const calling = {
  header: idempotencyHeader.extend({
    'X-NXVoidOperation': z.string().optional().describe('true: the answer has no body'),
    'Nuxeo-Transaction-Timeout': z.string().optional().describe('Seconds that it may last'),
  }),
  body: {
    [JSON_TYPE]: callRequest,
    'multipart/form-data': parts,
    'multipart/related': parts,
    'application/x-www-form-urlencoded': z.object({ jsondata: z.string().describe('The JSON of the call') }),
  },
  ...results,
  errors: OF_CALLS,
}

const group = {
  tag: 'automation',
  path: {
    operation: 'Id of an operation or chain',
    run: 'Id of the run, from the header Archivolt-Workflow-Id',
    id: 'Id of the document',
    name: 'Name of the schedule',
    provider: 'Name of the page provider',
  },
}

/** The registry and calls; what single operations take is in the registry. */
const operationDocs = routeGroup(group)({
  getOperations: [
    'GET /automation',
    'All operations and chains',
    {
      query: z.object({ pretty: z.string().optional().describe('true: with line breaks') }),
      200: json('The registry', registryEntity),
    },
  ],
  login: [
    'POST /automation/login',
    'Who the caller is',
    { 200: json('The caller', loginEntity), isOwn: true },
  ],
  getOperation: [
    'GET /automation/{operation}',
    'What an operation or chain takes and returns',
    { 200: json('The operation', operationEntity) },
  ],
  getOperationAsYaml: [
    'GET /automation/{operation}/yaml',
    'The steps of a chain, for administrators; {} for an operation',
    { 200: text('application/yaml', 'The chain'), errors: [403] },
  ],
  getFilesOfDocument: [
    'GET /automation/files/{id}',
    'A file of a document, or all of a list of files',
    {
      query: z.object({
        path: z.string().optional().describe('Xpath of the file or the list; file:content when absent'),
      }),
      200: { description: 'The file, or a part for each', content: { '*/*': file, 'multipart/mixed': file } },
      errors: [403],
    },
  ],
  getOperationPages: [
    'GET /automation/doc',
    'The operations and chains as pages to read, search and try',
    {
      query: z.object({
        id: z.string().optional().describe('The page of this operation or chain'),
        q: z.string().optional().describe('Words that all have to occur'),
        browse: z.string().optional().describe('label: by label, else by category'),
      }),
      200: text('text/html', 'A page'),
    },
  ],
  callOperation: [
    'POST /automation/{operation}',
    'Calls an operation or chain',
    {
      ...calling,
      query: callQuery,
      200: { ...result, content: { ...result.content, [JSON_TYPE]: z.union([valueEntity, dryRunEntity]) } },
    },
  ],
  startOperation: [
    'POST /automation/{operation}/@async',
    'Calls an operation or chain without waiting for its end',
    {
      header: idempotencyHeader,
      body: calling.body,
      202: {
        description: 'It is under way',
        headers: { ...headers, Location: 'Where to ask how far it is' },
      },
      errors: [429, 503],
    },
  ],
  getRunResult: [
    'GET /automation/{operation}/@async/{run}',
    'What a run came to',
    { ...results, errors: [403, ...OF_CALLS] },
  ],
})

/** Runs and schedules, which need Temporal. */
const runDocs = routeGroup({ ...group, errors: [503] })({
  getRunStatus: [
    'GET /automation/{operation}/@async/{run}/status',
    'Whether a run is under way',
    {
      200: json('It is', runStatus),
      303: { description: 'It is done', headers: { Location: 'Where its result is' } },
    },
  ],
  cancelRun: [
    'DELETE /automation/{operation}/@async/{run}',
    'Ends a run before its time',
    { 200: json('It will end', runStatus), isOwn: true },
  ],
  getSchedules: [
    'GET /automation/schedules',
    'The schedules that are deployed, with their next and last times; for administrators',
    { 200: json('All schedules', schedulesEntity), errors: [403] },
  ],
  runSchedule: [
    'POST /automation/schedules/{name}/run',
    'Does now what a schedule does at its times; for administrators',
    { 202: { ...json('It is under way, or will be', scheduleRunEntity), headers }, errors: [409] },
  ],
  getRuns: [
    'GET /automation/runs',
    "The caller's runs, all for administrators: running ones first, then the last to end first",
    { query: runsQuery, 200: json('A page of runs', runsEntity), errors: [403] },
  ],
  getRun: [
    'GET /automation/runs/{run}',
    'How far a run is, and what failed of it',
    { 200: json('The run', runEntity) },
  ],
  endRun: [
    'DELETE /automation/runs/{run}',
    'Ends a run before its time',
    { 202: 'It will end; what it has committed stays', errors: [409], isOwn: true },
  ],
  retryRun: [
    'POST /automation/runs/{run}/retry',
    'Starts a failed run again where it failed; what it has done is not done again',
    { query: retryQuery, 202: json('The run, under way again', runEntity), errors: [409, 429] },
  ],
  getRunItems: [
    'GET /automation/runs/{run}/items',
    'The items that the loops of a run skipped and that were not done since, by step and position',
    { query: itemsQuery, 200: json('A page of failed items', itemsEntity) },
  ],
  retryRunItems: [
    'POST /automation/runs/{run}/items/retry',
    'Does failed items of the loops of an ended run again, in a run of its own',
    {
      query: retryQuery,
      body: itemsRequest,
      takesAnyType: true,
      202: json('The run that does them', runEntity),
      errors: [409, 429],
    },
  ],
})

const adapterDocs = documentGroup(group)({
  callOperationOn: [
    'POST /@op/{operation}',
    'Calls an operation or chain with the document as its input',
    calling,
  ],
  ...forEachList((title, { place, query }) => [
    `callOperationOn${title}`,
    [
      `POST ${place}/@op/{operation}`,
      `Calls an operation or chain with the page of ${place.slice(1)} as its input`,
      { ...calling, query },
    ],
  ]),
})

/** Automation (automation.md §1). */
export const automationDocs = [...operationDocs, ...runDocs, ...adapterDocs]
