import { z } from 'zod'
import { preferHeader } from '../../edge/index.js'
import { idempotencyHeader } from '../../idempotency/index.js'
import { file, JSON_TYPE, json, type ResponseDoc, routeGroup } from '../../openapi/index.js'
import { documentGroup, forEachList } from '../../rest/index.js'
import { headers } from '../headers.js'
import { callQuery, callRequest, runStatus, valueEntity } from './calls.schema.js'
import { dryRunEntity } from './dry-run.schema.js'

const parts = z
  .object({ params: callRequest })
  .catchall(file)
  .describe('First the JSON of the call, then files, which are its input')

const result: ResponseDoc = {
  description: 'The output of the call: an entity, a file, or files',
  content: { [JSON_TYPE]: valueEntity, 'multipart/mixed': file, '*/*': file },
  headers,
}
const results = { 200: result, 204: { description: 'The call has no output', headers } }

const running: ResponseDoc = {
  ...json('It has not ended: "RUNNING"', runStatus),
  headers: { 'Retry-After': 'Seconds to wait before the next poll' },
}

const started = {
  description: 'The run is started',
  headers: { ...headers, Location: 'Address of its status' },
}

/** Statuses of operations that fail, besides those of wrong calls. */
const OF_CALLS = [409, 429, 500, 501, 503, 504] as const

/** What a route that calls an operation takes and responds. */
export const callDetails = {
  header: idempotencyHeader.extend({
    'X-NXVoidOperation': z.string().optional().describe('true: the answer has no body'),
    ...preferHeader.shape,
    'Nuxeo-Transaction-Timeout': z.string().optional().describe('Time limit of the transaction in seconds'),
  }),
  body: {
    [JSON_TYPE]: callRequest,
    'multipart/form-data': parts,
    'multipart/related': parts,
    'application/x-www-form-urlencoded': z.object({ jsondata: z.string().describe('The JSON of the call') }),
  },
  ...results,
  202: {
    ...started,
    description: 'The call changes so many documents that it is a run, which has not ended yet',
  },
  errors: OF_CALLS,
}

const group = {
  tag: 'automation',
  path: {
    operation: 'Id of an operation or chain',
    run: 'Id of the run, from the header Archivolt-Workflow-Id',
    id: 'Id of the document',
    provider: 'Name of the page provider',
  },
}

/** Calls, and the files of documents. */
const operationDocs = routeGroup(group)({
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
  callOperation: [
    'POST /automation/{operation}',
    'Calls an operation or chain',
    {
      ...callDetails,
      query: callQuery,
      200: { ...result, content: { ...result.content, [JSON_TYPE]: z.union([valueEntity, dryRunEntity]) } },
    },
  ],
  startOperation: [
    'POST /automation/{operation}/@async',
    'Starts an operation or chain asynchronously',
    {
      header: idempotencyHeader,
      body: callDetails.body,
      202: started,
      errors: [429, 503],
    },
  ],
  getRunResult: [
    'GET /automation/{operation}/@async/{run}',
    'The output of a run',
    { ...results, errors: [403, ...OF_CALLS] },
  ],
})

/** Asynchronous calls, which need Temporal. */
const asyncDocs = routeGroup({ ...group, errors: [503] })({
  getRunStatus: [
    'GET /automation/{operation}/@async/{run}/status',
    'The status of a run',
    {
      200: running,
      303: { description: 'The run has ended', headers: { Location: 'Address of its result' } },
    },
  ],
  cancelRun: [
    'DELETE /automation/{operation}/@async/{run}',
    'Cancels a run',
    { 200: json('The run is being cancelled', runStatus), isOwn: true },
  ],
})

const adapterDocs = documentGroup(group)({
  callOperationOn: [
    'POST /@op/{operation}',
    'Calls an operation or chain with the document as its input',
    callDetails,
  ],
  ...forEachList((title, { place, query }) => [
    `callOperationOn${title}`,
    [
      `POST ${place}/@op/{operation}`,
      `Calls an operation or chain with the page of ${place.slice(1)} as its input`,
      { ...callDetails, query },
    ],
  ]),
})

/** Calls, also those of adapters on documents. */
export const callDocs = [...operationDocs, ...asyncDocs, ...adapterDocs]
