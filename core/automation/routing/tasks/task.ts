import type { DocumentRecord, PropertyValue } from '../../../model/properties/index.js'

export const TASK_FACET = 'Task'

export type TaskComment = { author: string; text: string; creationDate: string }

/** A task as its document says it. Dates are ISO 8601. */
export type Task = {
  id: string
  name: string
  /** Id of the node. */
  node: string
  /** Of the route; empty for one that `Task.Create` made. */
  routeId: string
  routeName: string
  state: string
  directive: string
  initiator: string
  actors: string[]
  delegatedActors: string[]
  documentIds: string[]
  comments: TaskComment[]
  variables: { [key: string]: string }
  created: string | null
  dueDate: string | null
  record: DocumentRecord
}

const text = (value: PropertyValue | undefined): string => (typeof value === 'string' ? value : '')

const texts = (value: PropertyValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

const maps = (value: PropertyValue | undefined): { [field: string]: PropertyValue }[] =>
  Array.isArray(value)
    ? value.flatMap((item) =>
        typeof item === 'object' && item !== null && !Array.isArray(item)
          ? [item as { [field: string]: PropertyValue }]
          : [],
      )
    : []

/** What the document of a task says. */
export const taskOf = (record: DocumentRecord): Task => {
  const of = (field: string): PropertyValue | undefined => record.properties[`nt:${field}`]
  return {
    id: record.id,
    name: text(of('name')),
    node: text(of('type')),
    routeId: text(of('processId')),
    routeName: text(of('processName')),
    state: record.lifecycleState ?? '',
    directive: text(of('directive')),
    initiator: text(of('initiator')),
    actors: texts(of('actors')),
    delegatedActors: texts(of('delegatedActors')),
    documentIds: texts(of('targetDocumentsIds')),
    comments: maps(of('taskComments')).map(({ author, text: comment, creationDate }) => ({
      author: text(author),
      text: text(comment),
      creationDate: text(creationDate),
    })),
    variables: Object.fromEntries(
      maps(of('task_variables')).map(({ key, value }) => [text(key), text(value)]),
    ),
    created: text(record.properties['dc:created']) || null,
    dueDate: text(of('dueDate')) || null,
    record,
  }
}
