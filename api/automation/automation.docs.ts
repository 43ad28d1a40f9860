import { z } from 'zod'
import { json, routeGroup, text } from '../openapi/index.js'
import { loginEntity } from './automation.schema.js'
import { callDocs } from './calls/calls.docs.js'
import { registryDocs } from './registry/index.js'
import { runDocs } from './runs/runs.docs.js'
import { scheduleDocs } from './schedules/schedules.docs.js'

const serviceDocs = routeGroup({ tag: 'automation' })({
  login: [
    'POST /automation/login',
    'Who the caller is',
    { 200: json('The caller', loginEntity), isOwn: true },
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
      404: text('text/html', 'A page that says that there is none'),
    },
  ],
})

/** Automation (reference: automation.md §1). */
export const automationDocs = [...registryDocs, ...serviceDocs, ...callDocs, ...scheduleDocs, ...runDocs]
