import { type DocumentPage, keepReadable } from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import {
  defineOperation,
  documentsValue,
  documentValue,
  type Operation,
  type OperationContext,
  type Value,
} from '../../language/index.js'
import { completeTask, createLooseTasks } from '../../routing/instances/index.js'
import { findOpenTasks, type Task, taskOf } from '../../routing/tasks/index.js'
import { jsonBlob } from '../shared/json-blob.js'

const DEFAULT_PAGE_SIZE = 20

const getOpenTasks = defineOperation({
  id: 'Workflow.GetOpenTasks',
  aliases: ['Context.GetOpenTasks'],
  label: 'Get open tasks',
  category: 'Workflow Context',
  description: 'Gives the open tasks of the input documents.',
  isReadOnly: true,
  params: {
    nodeId: { type: 'string', description: 'Of this node alone; with processId.' },
    processId: { type: 'string', description: 'Of this workflow alone; with nodeId.' },
    username: { type: 'string', description: 'Of this user alone.' },
  },
  methods: ({ method }) => {
    const found = async (
      context: OperationContext,
      documents: readonly DocumentRecord[],
      { nodeId, processId, username }: { [name in 'nodeId' | 'processId' | 'username']?: string | undefined },
    ): Promise<Value> => {
      if ((nodeId === undefined) !== (processId === undefined))
        throw fail('badRequest', 'nodeId, processId: one is missing; both are expected, or none')
      const tasks = new Map<string, DocumentRecord>()
      for (const { id: documentId } of documents) {
        throwIfStopped(context.signal)
        const filter = { documentId, node: nodeId, routeId: processId, actor: username }
        for (const task of (await findOpenTasks(context.session, filter)).entries) tasks.set(task.id, task)
      }
      return documentsValue([...tasks.values()])
    }
    return [
      method('document', 'documents', ({ context, input, params }) => found(context, [input], params)),
      method('documents', 'documents', ({ context, input, params }) => found(context, input, params)),
    ]
  },
})

const complete = defineOperation({
  id: 'WorkflowTask.Complete',
  aliases: ['Workflow.CompleteTaskOperation'],
  label: 'Complete task',
  category: 'Workflow Context',
  description: 'Ends the input task by a button, and moves its workflow on.',
  params: {
    status: { type: 'string', description: 'Name of the button.' },
    comment: { type: 'string', description: 'Kept with the task.' },
    nodeVariables: { type: 'properties', description: 'Values of variables of the node.' },
    workflowVariables: { type: 'properties', description: 'Values of variables that the node lists.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const { status = '', comment = '', nodeVariables = {}, workflowVariables = {} } = params
      const ended = await completeTask(context, {
        taskId: input.id,
        action: status,
        comment,
        variables: { ...workflowVariables, ...nodeVariables },
      })
      return documentValue(ended.record)
    }),
  ],
})

const create = defineOperation({
  id: 'Task.Create',
  aliases: ['Workflow.CreateTask'],
  label: 'Create task',
  category: 'Services',
  description: 'Creates a task on the input document, for each actor or for all of them together.',
  params: {
    'task name': { type: 'string', isRequired: true, description: 'Its name.' },
    'due date': { type: 'date', description: 'Absent: now.' },
    directive: { type: 'string', description: 'What is to be done.' },
    comment: { type: 'string', description: 'The first comment.' },
    'accept operation chain': { type: 'string', description: 'Runs when it is accepted.' },
    'reject operation chain': { type: 'string', description: 'Runs when it is rejected.' },
    'variable name for actors prefixed ids': {
      type: 'string',
      description: 'A variable with actors, as user:x or group:g.',
    },
    'additional list of actors prefixed ids': { type: 'stringlist', description: 'Further actors.' },
    'create one task per actor': { type: 'boolean', default: true, description: 'false: one for all.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      await createLooseTasks(context, input, {
        name: params['task name'],
        dueDate: params['due date'],
        directive: params.directive,
        comment: params.comment,
        acceptChain: params['accept operation chain'],
        rejectChain: params['reject operation chain'],
        actorsVariable: params['variable name for actors prefixed ids'],
        actors: params['additional list of actors prefixed ids'] ?? [],
        isOneEach: params['create one task per actor'],
      })
      return documentValue(input)
    }),
  ],
})

/** A task as dashboards show it. */
const itemOf = (task: Task, documents: ReadonlyMap<string, DocumentRecord>, now: Date) => {
  const document = task.documentIds.map((id) => documents.get(id)).find((found) => found !== undefined)
  return {
    id: task.id,
    docref: document?.id ?? null,
    name: task.name,
    taskName: task.name,
    directive: task.directive,
    comment: task.comments.at(-1)?.text ?? '',
    startDate: task.created,
    dueDate: task.dueDate,
    expired: task.dueDate !== null && Date.parse(task.dueDate) < now.getTime(),
    documentTitle: document?.properties['dc:title'] ?? null,
    documentPath: document?.path ?? null,
    workflowModelName: task.routeName.split('.')[0] ?? '',
    workflowInstanceId: task.routeId,
  }
}

const pageOf = async (
  { session }: OperationContext,
  paging: { pageSize: number; currentPageIndex: number },
): Promise<{ page: DocumentPage; items: object[] }> => {
  const page = await findOpenTasks(session, { actor: session.principal.name }, paging)
  const tasks = page.entries.map(taskOf)
  const ids = [...new Set(tasks.flatMap(({ documentIds }) => documentIds))]
  const readable = await keepReadable(session, await session.stores.documents.briefly(ids, ['dc:title']))
  const documents = new Map(readable.map((document) => [document.id, document]))
  return { page, items: tasks.map((task) => itemOf(task, documents, session.now)) }
}

const userTasks = defineOperation({
  id: 'Workflow.UserTaskPageProvider',
  label: 'Get the open tasks of the caller',
  category: 'Services',
  description: 'Gives, as JSON, a page of the open tasks of the caller.',
  isReadOnly: true,
  params: {
    language: { type: 'string', description: 'Accepted; labels are given as their keys.' },
    page: { type: 'integer', description: 'Index of the page, from 0.' },
    pageSize: { type: 'integer', description: 'Tasks of a page; 20 when absent.' },
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context, params }) => {
      const pageSize = params.pageSize && params.pageSize > 0 ? params.pageSize : DEFAULT_PAGE_SIZE
      const { page, items } = await pageOf(context, { pageSize, currentPageIndex: params.page ?? 0 })
      return jsonBlob(context.services, {
        isPaginable: true,
        totalSize: page.resultsCount,
        pageIndex: page.pageIndex,
        pageSize,
        pageCount: Math.ceil(Math.max(0, page.resultsCount) / pageSize),
        entries: items,
      })
    }),
  ],
})

const assigned = defineOperation({
  id: 'Task.GetAssigned',
  aliases: ['Workflow.GetTask'],
  label: 'Get user tasks',
  category: 'Services',
  description: 'Gives, as JSON, the open tasks of the caller.',
  isReadOnly: true,
  params: {},
  methods: ({ method }) => [
    method('void', 'blob', async ({ context }) => {
      const { items } = await pageOf(context, { pageSize: 0, currentPageIndex: 0 })
      return jsonBlob(context.services, items)
    }),
  ],
})

export const taskOperations: readonly Operation[] = [getOpenTasks, complete, create, userTasks, assigned]
