import type { Acl } from '../../../access/security/index.js'
import {
  addAce,
  changeAcls,
  getDocument,
  privileged,
  removeAcl,
  type Session,
} from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { isArchivoltError } from '../../../platform/errors/index.js'
import { bareActor } from './actors.js'
import type { Task } from './task.js'

const CREATOR = 'Workflow'

const aclOf = (kind: 'routing' | 'delegation', taskId: string): string => `${kind}/${taskId}`

/** The documents of a task that are still there; versions take no rights. */
const documentsOf = async (session: Session, { documentIds }: Task): Promise<DocumentRecord[]> =>
  (await session.stores.documents.getMany(documentIds)).filter(({ path }) => path !== null)

/**
 * Grants a permission on the documents of a task to actors, before all other entries, for as long as it is open
 * (workflow-audit.md §2, Rights).
 */
export const grantOnDocuments = async (
  session: Session,
  task: Task,
  {
    kind,
    actors,
    permission,
  }: { kind: 'routing' | 'delegation'; actors: readonly string[]; permission: string },
): Promise<void> => {
  const inside = privileged(session)
  const name = aclOf(kind, task.id)
  for (const document of await documentsOf(inside, task))
    await changeAcls(inside, document, (acls) => {
      const own = acls.filter((acl) => acl.name === name)
      const others = acls.filter((acl) => acl.name !== name)
      const granted = actors.reduce<readonly Acl[]>(
        (before, actor) =>
          addAce(before, { username: bareActor(actor), permission, granted: true, creator: CREATOR }, name),
        own,
      )
      return [...granted, ...others]
    })
}

/** Takes back what a task has granted. A document that is gone by now has nothing of it. */
export const revokeOnDocuments = async (
  session: Session,
  task: Task,
  kinds: readonly ('routing' | 'delegation')[] = ['routing', 'delegation'],
): Promise<void> => {
  const inside = privileged(session)
  for (const document of await documentsOf(inside, task)) {
    try {
      await changeAcls(inside, await getDocument(inside, document.id), (acls) =>
        kinds.reduce<readonly Acl[]>((left, kind) => removeAcl(left, aclOf(kind, task.id)), acls),
      )
    } catch (error) {
      if (!isArchivoltError(error) || error.code !== 'notFound') throw error
    }
  }
}
