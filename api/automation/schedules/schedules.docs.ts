import { json, routeGroup } from '../../openapi/index.js'
import { headers } from '../headers.js'
import { scheduleRunEntity, schedulesEntity } from './schedules.schema.js'

/** Schedules, which need Temporal. */
export const scheduleDocs = routeGroup({
  tag: 'automation',
  path: { name: 'Name of the schedule' },
  errors: [503],
})({
  getSchedules: [
    'GET /automation/schedules',
    'The schedules that are deployed, with their next and last times; for administrators',
    { 200: json('All schedules', schedulesEntity), errors: [403] },
  ],
  runSchedule: [
    'POST /automation/schedules/{name}/run',
    'Runs a schedule now; for administrators',
    {
      202: { ...json('The run, which has started or waits for another one', scheduleRunEntity), headers },
      errors: [409],
    },
  ],
})
