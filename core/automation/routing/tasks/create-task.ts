import { randomUUID } from 'node:crypto'
import { type Ace, type Acl, EVERYONE, EVERYTHING } from '../../../access/security/index.js'
import {
  createDocument,
  ensureChild,
  privileged,
  type Session,
  setAcls,
  setFirstAcls,
} from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { bareActor } from './actors.js'
import { requireFew, requireShort } from './bounds.js'
import { type Task, taskOf } from './task.js'

export const TASK_ACL = 'routingTask'

/** What a new task says. */
export type NewTask = {
  type: string
  name: string
  node?: string
  route?: { id: string; name: string }
  directive?: string
  description?: string
  initiator: string
  actors: readonly string[]
  documentIds: readonly string[]
  /** ISO 8601. */
  dueDate: string
  variables?: { [key: string]: string }
  comment?: string
}

/** A folder at the top that grants nothing of what is granted above it. */
export const ensureClosedFolder = async (
  session: Session,
  { name, type, aces = [] }: { name: string; type: string; aces?: readonly Ace[] },
): Promise<DocumentRecord> => {
  const known = await session.stores.documents.get(`/${name}`)
  if (known) return known
  const parent = await session.stores.documents.get('/')
  if (!parent) throw fail('conflict', 'The repository has no root')
  const { document, isNew } = await ensureChild(session, {
    parent,
    name,
    type,
    properties: { 'dc:title': name },
  })
  if (!isNew) return document
  const nobody: Ace = { username: EVERYONE, permission: EVERYTHING, granted: false }
  return session.stores.acls.setLocal(document, [{ name: 'local', aces: [...aces, nobody] }])
}

const commentOf = (session: Session, author: string, text: string) => ({
  author,
  text,
  creationDate: session.now.toISOString(),
})

/**
 * Creates the document of a task below `/task-root`, which its actors may read and write.
 *
 * @throws badRequest for texts that are too long, and for too many actors.
 */
export const createTask = async (session: Session, task: NewTask): Promise<Task> => {
  const inside = privileged(session)
  const { type, name, node = '', route, actors, documentIds, variables = {}, comment = '' } = task
  const { directive = '', description = '' } = task
  for (const [what, text] of Object.entries({ name, directive, description, comment }))
    requireShort(what, text)
  requireFew('actors', actors)
  const parent = await ensureClosedFolder(inside, { name: 'task-root', type: 'TaskRoot' })
  const created = await createDocument(inside, {
    parent,
    name: `${node || 'task'}-${randomUUID()}`,
    type,
    properties: {
      'dc:title': name,
      'nt:name': name,
      'nt:type': node,
      'nt:description': description,
      'nt:directive': directive,
      'nt:processId': route?.id ?? null,
      'nt:processName': route?.name ?? null,
      'nt:initiator': task.initiator,
      'nt:actors': [...actors],
      'nt:targetDocumentId': documentIds[0] ?? null,
      'nt:targetDocumentsIds': [...documentIds],
      'nt:dueDate': task.dueDate,
      'nt:task_variables': Object.entries(variables).map(([key, value]) => ({ key, value })),
      'nt:taskComments': comment ? [commentOf(session, task.initiator, comment)] : [],
    },
  })
  return taskOf(await setFirstAcls(inside, created, [actingAcl(actors)]))
}

const actingAcl = (actors: readonly string[]): Acl => ({
  name: TASK_ACL,
  aces: actors.map((actor) => ({ username: bareActor(actor), permission: 'ReadWrite', granted: true })),
})

/** Lets actors, and nobody else, read and write a task. */
export const letAct = (
  session: Session,
  document: DocumentRecord,
  actors: readonly string[],
): Promise<DocumentRecord> => setAcls(privileged(session), document, [actingAcl(actors)])
