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
