import { getDocument } from '../../../content/documents/index.js'
import type { DocumentRecord, PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { requireModestJson } from '../../../platform/limits/index.js'
import {
  defineOperation,
  documentsValue,
  documentValue,
  jsonOf,
  type Operation,
  type OperationContext,
  VOID,
} from '../../language/index.js'
import {
  beginRoute,
  cancelRoute,
  createRoute,
  graphEntity,
  loadRoute,
  resumeNode,
  setRouteVariables,
} from '../../routing/instances/index.js'
import { jsonBlob } from '../shared/json-blob.js'

const CATEGORY = 'Workflow Context'

/** Texts of variables are JSON where they can be read so (workflow-audit.md §2, Operations). */
const parsed = (value: PropertyValue): PropertyValue => {
  if (typeof value !== 'string') return value
  requireModestJson('A variable', value)
  try {
    return JSON.parse(value)
  } catch (error) {
    if (error instanceof SyntaxError) return value
    throw error
  }
}

const parsedAll = (values: { [name: string]: PropertyValue }): { [name: string]: PropertyValue } =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, parsed(value)]))

const start = async (
  context: OperationContext,
  documents: readonly DocumentRecord[],
  params: { id: string; start: boolean; variables?: { [name: string]: PropertyValue } | undefined },
): Promise<void> => {
  const wanted = {
    modelId: params.id,
    documentIds: documents.map(({ id }) => id),
    variables: parsedAll(params.variables ?? {}),
  }
  const route = params.start ? await beginRoute(context, wanted) : (await createRoute(context, wanted)).route
  for (const name of ['WorkflowId', 'workflowInstanceId'])
    context.variables[name] = { type: 'string', value: route.id }
}

const startWorkflow = defineOperation({
  id: 'Context.StartWorkflow',
  label: 'Start workflow',
  category: CATEGORY,
  description: 'Starts a workflow on the input documents; the variable workflowInstanceId gets its id.',
  params: {
    id: { type: 'string', isRequired: true, description: 'Name of the model.' },
    start: { type: 'boolean', default: true, description: 'Only created when false.' },
    variables: { type: 'properties', description: 'Values of its variables, each as JSON.' },
  },
  methods: ({ method }) => [
    method('documents', 'documents', async ({ context, input, params }) => {
      await start(context, input, params)
      return documentsValue(input)
    }),
    method('document', 'document', async ({ context, input, params }) => {
      await start(context, [input], params)
      return documentValue(input)
    }),
  ],
})

const cancel = defineOperation({
  id: 'WorkflowInstance.Cancel',
  aliases: ['Context.CancelWorkflow'],
  label: 'Cancel workflow',
  category: CATEGORY,
  description: 'Cancels a workflow with its tasks.',
  params: { id: { type: 'string', isRequired: true, description: 'Id of the workflow.' } },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      await cancelRoute(context, params.id)
      return VOID
    }),
  ],
})

/** A text variable of the run, of which workflows set some. */
const named = ({ variables, mayStandIn }: OperationContext, name: string): string | undefined => {
  const value = mayStandIn ? variables[name] : undefined
  return value?.type === 'string' ? value.value : undefined
}

const resume = defineOperation({
  id: 'Workflow.ResumeNode',
  aliases: ['Workflow.ResumeNodeOperation'],
  label: 'Resume workflow',
  category: CATEGORY,
  description: 'Leaves a node of a workflow without its tasks, which are cancelled.',
  params: {
    workflowInstanceId: { type: 'string', description: 'Id of the workflow; absent: that of the chain.' },
    nodeId: { type: 'string', description: 'Id of the node; absent: that of the chain.' },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      const routeId = params.workflowInstanceId ?? named(context, 'workflowInstanceId')
      const node = params.nodeId ?? named(context, 'nodeId')
      if (!routeId)
        throw fail('badRequest', 'workflowInstanceId: is missing, and the chain is of no workflow')
      if (!node) throw fail('badRequest', 'nodeId: is missing, and the chain is of no node')
      await resumeNode(context, { routeId, node })
      return VOID
    }),
  ],
})

/** Sets a value in a map that chains of workflows have as a variable. */
const setIn = ({ variables }: OperationContext, map: string, name: string, value: PropertyValue): void => {
  const before = variables[map] ? jsonOf(variables[map]) : null
  const known = typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {}
  variables[map] = { type: 'json', value: { ...known, [name]: value } }
}

const setWorkflowVar = defineOperation({
  id: 'Context.SetWorkflowVar',
  label: 'Set Workflow Variable',
  category: CATEGORY,
  description: 'Sets a variable of the workflow whose chain this is, or of a given one.',
  params: {
    name: { type: 'string', isRequired: true, description: 'Name of the variable.' },
    value: { type: 'object', description: 'Its value; null when absent.' },
    workflowInstanceId: { type: 'string', description: 'Id of the workflow.' },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      const value = jsonOf(params.value ?? VOID)
      const { name, workflowInstanceId: routeId } = params
      // A chain of the workflow has its id as a variable, which stands in for the parameter.
      const isOwn =
        routeId === named(context, 'workflowInstanceId') && 'WorkflowVariables' in context.variables
      if (routeId === undefined || isOwn) setIn(context, 'WorkflowVariables', name, value)
      else await setRouteVariables(context, { routeId, variables: { [name]: value } })
      return VOID
    }),
  ],
})

const setNodeVariable = defineOperation({
  id: 'Workflow.SetNodeVariable',
  aliases: ['Context.SetWorkflowNodeVar'],
  label: 'Set Node Variable',
  category: CATEGORY,
  description: 'Sets a variable of the node whose chain this is.',
  params: {
    name: { type: 'string', isRequired: true, description: 'Name of the variable.' },
    value: { type: 'object', description: 'Its value; null when absent.' },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      setIn(context, 'NodeVariables', params.name, jsonOf(params.value ?? VOID))
      return VOID
    }),
  ],
})

const setWorkflowVariables = defineOperation({
  id: 'Workflow.SetWorkflowVariables',
  label: 'Set Workflow Variables',
  category: CATEGORY,
  description: 'Sets variables of a workflow.',
  params: {
    id: { type: 'string', isRequired: true, description: 'Id of the workflow.' },
    properties: { type: 'properties', isRequired: true, description: 'Values by the names of variables.' },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      await setRouteVariables(context, { routeId: params.id, variables: parsedAll(params.properties) })
      return VOID
    }),
  ],
})

const getGraph = defineOperation({
  id: 'Document.Routing.GetGraph',
  label: 'Get graph',
  category: 'Services',
  description: 'Gives, as JSON, the nodes and transitions of a workflow.',
  params: {
    routeDocId: { type: 'string', isRequired: true, description: 'Id of the workflow.' },
    language: { type: 'string', description: 'Of the labels, such as `fr`.' },
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context, params }) => {
      await getDocument(context.session, params.routeDocId)
      const route = await loadRoute(context.session, params.routeDocId)
      const language = params.language?.split(/[-_]/)[0]?.toLowerCase()
      return jsonBlob(context.services, graphEntity(route, language ? [language] : []))
    }),
  ],
})

export const workflowOperations: readonly Operation[] = [
  startWorkflow,
  cancel,
  resume,
  setWorkflowVar,
  setNodeVariable,
  setWorkflowVariables,
  getGraph,
]
