import type { Acl } from '../../../access/security/index.js'
import {
  addAce,
  changeAcls,
  getDocument,
  privileged,
  type Session,
} from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { isArchivoltError } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import { bareActor } from './actors.js'
import { GRANTING, type PassedOn } from './passed-on.js'
import type { Task } from './task.js'

const aclOf = (kind: 'routing' | 'delegation', taskId: string): string => `${kind}/${taskId}`

/** The task whose grants an ACL has; undefined for any other ACL. */
export const taskOfAcl = (name: string): string | undefined =>
  /^(?:routing|delegation)\/(.+)$/.exec(name)?.[1]

/** The documents of tasks that are still there; versions take no rights. */
const documentsOf = async (session: Session, tasks: readonly Task[]): Promise<DocumentRecord[]> => {
  const ids = new Set(tasks.flatMap(({ documentIds }) => documentIds))
  return (await session.stores.documents.getMany([...ids])).filter(({ path }) => path !== null)
}

/** What a task lets some have on its documents while it is open. */
export type Grant = {
  task: Task
  kind: 'routing' | 'delegation'
  actors: readonly string[]
  permission: string
  /** How much of it they get, who were chosen by somebody; absent: the model names them, and they get all. */
  passedOn?: PassedOn
}

const granting = (acls: readonly Acl[], { task, kind, actors, permission }: Grant): readonly Acl[] => {
  const name = aclOf(kind, task.id)
  const own = acls.filter((acl) => acl.name === name)
  const others = acls.filter((acl) => acl.name !== name)
  const granted = actors.reduce<readonly Acl[]>(
    (before, actor) =>
      addAce(before, { username: bareActor(actor), permission, granted: true, creator: GRANTING }, name),
    own,
  )
  return [...granted, ...others]
}

/** How much each grant gives on a document; what gives nothing is left out. Tasks of one node ask once. */
const limited = async (document: DocumentRecord, grants: readonly Grant[]): Promise<Grant[]> => {
  const known = new Map<PassedOn, Map<string, string | undefined>>()
  const passed = async (passedOn: PassedOn, asked: string): Promise<string | undefined> => {
    const answers = known.get(passedOn) ?? new Map<string, string | undefined>()
    known.set(passedOn, answers)
    if (!answers.has(asked)) answers.set(asked, await passedOn(document, asked))
    return answers.get(asked)
  }
  const found: Grant[] = []
  for (const grant of grants) {
    if (grant.actors.length === 0 || !grant.task.documentIds.includes(document.id)) continue
    const { passedOn } = grant
    const permission = passedOn ? await passed(passedOn, grant.permission) : grant.permission
    if (permission !== undefined) found.push({ ...grant, permission })
  }
  return found
}

/**
 * Grants what tasks say on their documents, before all other entries, for as long as each is open
 * (workflow-audit.md §2, Rights). The ACLs of a document are written once for all.
 *
 * @param signal ends the work between two documents.
 */
export const grantOnDocuments = async (
  session: Session,
  grants: readonly Grant[],
  signal: AbortSignal,
): Promise<void> => {
  const inside = privileged(session)
  const tasks = grants.map(({ task }) => task)
  for (const document of await documentsOf(inside, tasks)) {
    throwIfStopped(signal)
    const given = await limited(document, grants)
    if (given.length > 0) await changeAcls(inside, document, (acls) => given.reduce(granting, acls))
  }
}

/**
 * Takes back what tasks have granted. A document that is gone by now has nothing of it. The ACLs of a document are
 * written once for all.
 *
 * @param options `signal` ends the work between two documents.
 */
export const revokeOnDocuments = async (
  session: Session,
  tasks: readonly Task[],
  { signal }: { signal: AbortSignal },
): Promise<void> => {
  const inside = privileged(session)
  const revoked = new Set(tasks.flatMap(({ id }) => [aclOf('routing', id), aclOf('delegation', id)]))
  const left = (acls: readonly Acl[]): readonly Acl[] =>
    acls.some(({ name }) => revoked.has(name)) ? acls.filter(({ name }) => !revoked.has(name)) : acls
  for (const document of await documentsOf(inside, tasks)) {
    throwIfStopped(signal)
    try {
      await changeAcls(inside, await getDocument(inside, document.id), left)
    } catch (error) {
      if (!isArchivoltError(error) || error.code !== 'notFound') throw error
    }
  }
}
