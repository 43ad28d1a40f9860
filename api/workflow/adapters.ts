import { findOpenRoutes } from '../../core/automation/routing/entities/index.js'
import { getDocument } from '../../core/content/documents/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { type Adapter, documentGroup, entityResponse, requireJsonAccepted } from '../rest/index.js'
import type { WorkflowServices } from './services.js'
import { completeByRequest, listByRequest, tasksQuery } from './task-routes.js'
import {
  fetchedOfTask,
  fetchedOfWorkflow,
  taskEntitySchema,
  taskRequest,
  tasksSchema,
  workflowEntitySchema,
  workflowRequest,
  workflowsSchema,
} from './workflow.schema.js'
import { startByRequest } from './workflow-routes.js'
import { writeWorkflow } from './write-entities.js'

export const workflowAdapterDocs = documentGroup({
  tag: 'workflows',
  path: { workflowId: 'Id of the workflow', taskId: 'Id of the task', button: 'Name of the button' },
})({
  listDocumentWorkflows: [
    'GET /@workflow',
    'The open workflows of a document',
    { query: fetchedOfWorkflow, 200: workflowsSchema },
  ],
  startDocumentWorkflow: [
    'POST /@workflow',
    'Starts a workflow on a document',
    {
      query: fetchedOfWorkflow,
      body: workflowRequest,
      201: workflowEntitySchema,
      errors: [503],
      warns: true,
    },
  ],
  listDocumentWorkflowTasks: [
    'GET /@workflow/{workflowId}/task',
    'The open tasks of a workflow on a document',
    { query: fetchedOfTask, 200: tasksSchema },
  ],
  listDocumentTasks: ['GET /@task', 'The open tasks of a document', { query: tasksQuery, 200: tasksSchema }],
  completeDocumentTask: [
    'PUT /@task/{taskId}/{button}',
    'Ends a task of a document by a button',
    { query: fetchedOfTask, body: taskRequest, 200: taskEntitySchema, errors: [409, 503], warns: true },
  ],
})

const OF_WORKFLOW = /^([^/]+)\/task$/
const ACTION = /^([^/]+)\/([^/]+)$/

/** `@workflow` and `@task` of documents (workflow-audit.md §1). */
export const workflowAdapters = (services: WorkflowServices): readonly Adapter[] => [
  {
    name: 'workflow',
    takes: ({ rest }) => (rest === '' ? ['GET', 'POST'] : ['GET']),
    methods: {
      GET: async ({ c, ref, rest }) => {
        requireJsonAccepted(c)
        const session = services.session(c)
        const { id: documentId } = await getDocument(session, ref)
        const [, routeId] = OF_WORKFLOW.exec(rest) ?? []
        if (routeId) return listByRequest(services, c, { documentId, routeId })
        if (rest !== '') throw fail('notFound', rest)
        const found = await findOpenRoutes(session, { documentId })
        const entries = await Promise.all(found.map((route) => writeWorkflow(services, c, route)))
        return entityResponse({ 'entity-type': 'workflows', ...{ entries } })
      },
      POST: async ({ c, ref }) => {
        const { id } = await getDocument(services.session(c), ref)
        return startByRequest(services, c, id)
      },
    },
  },
  {
    name: 'task',
    takes: ({ rest }) => (rest === '' ? ['GET'] : ['PUT']),
    methods: {
      GET: async ({ c, ref }) => {
        const { id: documentId } = await getDocument(services.session(c), ref)
        return listByRequest(services, c, { documentId })
      },
      PUT: async ({ c, ref, rest }) => {
        await getDocument(services.session(c), ref)
        const [, taskId, action] = ACTION.exec(rest) ?? []
        if (!taskId || !action) throw fail('notFound', rest)
        return completeByRequest(services, c, { taskId, action })
      },
    },
  },
]
