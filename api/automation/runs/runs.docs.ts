import { json, routeGroup } from '../../openapi/index.js'
import { itemsEntity, itemsQuery, itemsRequest } from './items.schema.js'
import { retryQuery, runEntity, runsEntity, runsQuery } from './runs.schema.js'

/** Runs, which need Temporal. */
export const runDocs = routeGroup({
  tag: 'automation',
  path: { run: 'Id of the run, from the header Archivolt-Workflow-Id' },
  errors: [503],
})({
  getRuns: [
    'GET /automation/runs',
    "The caller's runs, all for administrators: running ones first, then the last to end first",
    { query: runsQuery, 200: json('A page of runs', runsEntity), errors: [403] },
  ],
  getRun: [
    'GET /automation/runs/{run}',
    'The progress of a run, and its failures',
    { 200: json('The run', runEntity) },
  ],
  endRun: [
    'DELETE /automation/runs/{run}',
    'Cancels a run',
    { 202: 'The run is being cancelled; what it has committed stays', errors: [409], isOwn: true },
  ],
  retryRun: [
    'POST /automation/runs/{run}/retry',
    'Retries a failed run where it failed, without repeating what is done',
    { query: retryQuery, 202: json('The run, which continues', runEntity), errors: [409, 429] },
  ],
  getRunItems: [
    'GET /automation/runs/{run}/items',
    'The failed items of the loops of a run that were not retried successfully since, by step and position',
    { query: itemsQuery, 200: json('A page of failed items', itemsEntity) },
  ],
  retryRunItems: [
    'POST /automation/runs/{run}/items/retry',
    'Retries failed items of the loops of an ended run, in a run of its own',
    {
      query: retryQuery,
      body: itemsRequest,
      takesAnyType: true,
      202: json('The run that retries them', runEntity),
      errors: [409, 429],
    },
  ],
})
