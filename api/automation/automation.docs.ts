import { z } from 'zod'
import { idempotencyHeader } from '../idempotency/index.js'
import {
  type Content,
  type ErrorStatus,
  inPath,
  JSON_TYPE,
  json,
  nothing,
  type ResponseDoc,
  type RouteDoc,
} from '../openapi/index.js'
import { documentLists, onDocuments } from '../rest/index.js'
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

const tag = 'automation'

const operation = inPath({ operation: 'Id of an operation or chain' })
const run = inPath({ run: 'Id of the run, as Archivolt-Workflow-Id told it' })
const runOf = z.object({ ...operation.shape, ...run.shape })

const file = z.string().meta({ format: 'binary' })

const parts = z
  .object({ params: callRequest })
  .catchall(file)
  .describe('First the JSON of the call, then files, which are its input')

const callBody: Content = {
  [JSON_TYPE]: callRequest,
  'multipart/form-data': parts,
  'multipart/related': parts,
  'application/x-www-form-urlencoded': z.object({ jsondata: z.string().describe('The JSON of the call') }),
}

const callHeaders = z.object({
  ...idempotencyHeader.shape,
  'X-NXVoidOperation': z.string().optional().describe('true: the answer has no body'),
  'Nuxeo-Transaction-Timeout': z.string().optional().describe('Seconds that it may last'),
})

const workflowId = {
  'Archivolt-Workflow-Id': 'Id of the run, for chains',
  'Idempotent-Replayed': 'true: the run is that of an earlier call with the same Idempotency-Key',
}

const results: { [status: number]: ResponseDoc } = {
  200: {
    description: 'What the call came to: an entity, a file, or files',
    content: { [JSON_TYPE]: valueEntity, 'multipart/mixed': file, '*/*': file },
    headers: workflowId,
  },
  204: { ...nothing('It came to nothing'), headers: workflowId },
}

/** What operations refuse, and what they fail with, besides what is wrong with a call. */
const OF_CALLS: readonly ErrorStatus[] = [403, 409, 429, 500, 501, 503, 504]
const OF_BODIES: readonly ErrorStatus[] = [413, 415]

const callOn = ({
  place,
  suffix,
  input,
  path = inPath({}),
  query,
}: {
  place: string
  suffix: string
  input: string
  path?: z.ZodObject
  query?: z.ZodObject
}): RouteDoc => ({
  method: 'POST',
  path: `${place}/@op/{operation}`,
  operationId: `callOperationOn${suffix}`,
  summary: `Calls an operation or chain with ${input} as its input`,
  tag,
  parameters: {
    path: z.object({ ...path.shape, ...operation.shape }),
    ...(query && { query }),
    header: callHeaders,
  },
  body: callBody,
  errors: [...OF_CALLS, ...OF_BODIES],
  responses: results,
})

/** Automation (automation.md §1); what single operations take is told by the registry. */
export const automationDocs: readonly RouteDoc[] = [
  {
    method: 'GET',
    path: '/automation',
    operationId: 'getOperations',
    summary: 'All operations and chains',
    tag,
    parameters: { query: z.object({ pretty: z.string().optional().describe('true: with line breaks') }) },
    responses: { 200: json('The registry', registryEntity) },
  },
  {
    method: 'POST',
    path: '/automation/login',
    operationId: 'login',
    summary: 'Who the caller is',
    tag,
    responses: { 200: json('The caller', loginEntity) },
  },
  {
    method: 'GET',
    path: '/automation/{operation}',
    operationId: 'getOperation',
    summary: 'What an operation or chain takes and gives',
    tag,
    parameters: { path: operation },
    responses: { 200: json('The operation', operationEntity) },
  },
  {
    method: 'GET',
    path: '/automation/{operation}/yaml',
    operationId: 'getOperationAsYaml',
    summary: 'The steps of a chain, for administrators; {} for an operation',
    tag,
    parameters: { path: operation },
    errors: [403],
    responses: { 200: { description: 'The chain', content: { 'application/yaml': z.string() } } },
  },
  {
    method: 'GET',
    path: '/automation/files/{id}',
    operationId: 'getFilesOfDocument',
    summary: 'A file of a document, or all of a list of files',
    tag,
    parameters: {
      path: inPath({ id: 'Id of the document' }),
      query: z.object({
        path: z.string().optional().describe('Xpath of the file or the list; file:content when absent'),
      }),
    },
    errors: [403],
    responses: {
      200: { description: 'The file, or a part for each', content: { '*/*': file, 'multipart/mixed': file } },
    },
  },
  {
    method: 'GET',
    path: '/automation/doc',
    operationId: 'getOperationPages',
    summary: 'The operations and chains as pages to read, search and try',
    tag,
    parameters: {
      query: z.object({
        id: z.string().optional().describe('The page of this operation or chain'),
        q: z.string().optional().describe('Words that all have to occur'),
        browse: z.string().optional().describe('label: by label, else by category'),
      }),
    },
    responses: { 200: { description: 'A page', content: { 'text/html': z.string() } } },
  },
  {
    method: 'POST',
    path: '/automation/{operation}',
    operationId: 'callOperation',
    summary: 'Calls an operation or chain',
    tag,
    parameters: { path: operation, query: callQuery, header: callHeaders },
    body: callBody,
    errors: [...OF_CALLS, ...OF_BODIES],
    responses: {
      ...results,
      200: {
        ...results[200]!,
        content: { ...results[200]?.content, [JSON_TYPE]: z.union([valueEntity, dryRunEntity]) },
      },
    },
  },
  {
    method: 'POST',
    path: '/automation/{operation}/@async',
    operationId: 'startOperation',
    summary: 'Calls an operation or chain without waiting for its end',
    tag,
    parameters: { path: operation, header: callHeaders.pick({ 'Idempotency-Key': true }) },
    body: callBody,
    errors: [403, 409, ...OF_BODIES, 429, 503],
    responses: {
      202: {
        ...nothing('It is under way'),
        headers: { ...workflowId, Location: 'Where to ask how far it is' },
      },
    },
  },
  {
    method: 'GET',
    path: '/automation/{operation}/@async/{run}/status',
    operationId: 'getRunStatus',
    summary: 'Whether a run is under way',
    tag,
    parameters: { path: runOf },
    errors: [503],
    responses: {
      200: json('It is', runStatus),
      303: { ...nothing('It is done'), headers: { Location: 'Where its result is' } },
    },
  },
  {
    method: 'GET',
    path: '/automation/{operation}/@async/{run}',
    operationId: 'getRunResult',
    summary: 'What a run came to',
    tag,
    parameters: { path: runOf },
    errors: OF_CALLS,
    responses: results,
  },
  {
    method: 'DELETE',
    path: '/automation/{operation}/@async/{run}',
    operationId: 'cancelRun',
    summary: 'Ends a run before its time',
    tag,
    parameters: { path: runOf },
    errors: [503],
    responses: { 200: json('It will end', runStatus) },
  },
  {
    method: 'GET',
    path: '/automation/schedules',
    operationId: 'getSchedules',
    summary: 'The schedules that are deployed, with their next and last times; for administrators',
    tag,
    errors: [403, 503],
    responses: { 200: json('All schedules', schedulesEntity) },
  },
  {
    method: 'POST',
    path: '/automation/schedules/{name}/run',
    operationId: 'runSchedule',
    summary: 'Does now what a schedule does at its times; for administrators',
    tag,
    parameters: { path: inPath({ name: 'Name of the schedule' }) },
    errors: [403, 409, 503],
    responses: {
      202: { ...json('It is under way, or will be', scheduleRunEntity), headers: workflowId },
    },
  },
  {
    method: 'GET',
    path: '/automation/runs',
    operationId: 'getRuns',
    summary: "The caller's runs, all for administrators: running ones first, then the last to end first",
    tag,
    parameters: { query: runsQuery },
    errors: [403, 503],
    responses: { 200: json('A page of runs', runsEntity) },
  },
  {
    method: 'GET',
    path: '/automation/runs/{run}',
    operationId: 'getRun',
    summary: 'How far a run is, and what failed of it',
    tag,
    parameters: { path: run },
    errors: [503],
    responses: { 200: json('The run', runEntity) },
  },
  {
    method: 'DELETE',
    path: '/automation/runs/{run}',
    operationId: 'endRun',
    summary: 'Ends a run before its time',
    tag,
    parameters: { path: run },
    errors: [409, 503],
    responses: { 202: nothing('It will end; what it has committed stays') },
  },
  {
    method: 'POST',
    path: '/automation/runs/{run}/retry',
    operationId: 'retryRun',
    summary: 'Starts a failed run again where it failed; what it has done is not done again',
    tag,
    parameters: { path: run, query: retryQuery },
    errors: [403, 409, 429, 503],
    responses: { 202: json('The run, under way again', runEntity) },
  },
  {
    method: 'GET',
    path: '/automation/runs/{run}/items',
    operationId: 'getRunItems',
    summary:
      'The items that the loops of a run passed over and that were not done since, by step and position',
    tag,
    parameters: { path: run, query: itemsQuery },
    errors: [503],
    responses: { 200: json('A page of failed items', itemsEntity) },
  },
  {
    method: 'POST',
    path: '/automation/runs/{run}/items/retry',
    operationId: 'retryRunItems',
    summary: 'Does failed items of the loops of an ended run again, in a run of its own',
    tag,
    parameters: { path: run, query: retryQuery },
    body: { [JSON_TYPE]: itemsRequest },
    errors: [403, 409, 413, 429, 503],
    responses: { 202: json('The run that does them', runEntity) },
  },
  ...onDocuments([
    callOn({ place: '', suffix: '', input: 'the document' }),
    ...documentLists.map(({ name, title, path, query }) =>
      callOn({ place: `/@${name}`, suffix: title, input: `the page of @${name}`, path, query }),
    ),
  ]),
]
