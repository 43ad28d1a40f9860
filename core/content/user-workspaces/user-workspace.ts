import { type Ace, EVERYONE, EVERYTHING } from '../../access/security/index.js'
import { type DocumentRecord, type Properties, readProperties } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  childPath,
  documentEvent,
  emit,
  ensureChild,
  privileged,
  queryDocuments,
  requirePermission,
  type Session,
} from '../documents/index.js'
import { type UserWorkspaceRules, userWorkspaceRules } from './user-workspaces-point.js'
import { workspaceName } from './workspace-name.js'

/** The domain of the rules, else the oldest one there is. */
const findDomain = async (
  session: Session,
  { domain }: UserWorkspaceRules,
): Promise<DocumentRecord | undefined> => {
  const named = await session.stores.documents.get(childPath('/', domain))
  if (named) return named
  const nxql =
    'SELECT * FROM Domain WHERE ecm:isTrashed = 0 AND ecm:isVersion = 0 AND ecm:isProxy = 0 ORDER BY dc:created'
  return (await queryDocuments(session, nxql, { pageSize: 1 })).entries[0]
}

/** The folder of all user workspaces: grants of the documents above do not apply to it. */
const ensureRoot = async (session: Session, rules: UserWorkspaceRules): Promise<DocumentRecord> => {
  const { name, type } = rules.root
  const parent = await findDomain(session, rules)
  if (!parent) throw fail('conflict', 'userWorkspaces: no domain exists to hold user workspaces')
  const { document, isNew } = await ensureChild(session, {
    parent,
    name,
    type,
    properties: { 'dc:title': name },
  })
  if (!isNew) return document
  const nobody: Ace = { username: EVERYONE, permission: EVERYTHING, granted: false }
  return session.stores.acls.setLocal(document, [{ name: 'local', aces: [nobody] }])
}

const titleFor = async (session: Session, username: string): Promise<string> => {
  const user = await session.identities.user(username)
  const name = [user?.firstName, user?.lastName].filter((part) => part?.trim()).join(' ')
  return name || username
}

const readOwn = (
  session: Session,
  type: string,
  properties: { [name: string]: unknown },
): Promise<Properties> => readProperties(properties, { schemas: session.model.schemasOf(type, []) })

const make = async (
  session: Session,
  rules: UserWorkspaceRules,
  root: DocumentRecord,
): Promise<DocumentRecord> => {
  const owner = session.principal.name
  const { document, isNew } = await ensureChild(session, {
    parent: root,
    name: workspaceName(owner),
    type: rules.type,
    properties: {
      ...(await readOwn(session, rules.type, rules.properties)),
      'dc:title': await titleFor(session, owner),
    },
  })
  if (!isNew) return document
  const granted = (username: string, permission: string): Ace => ({ username, permission, granted: true })
  const aces = [granted(owner, EVERYTHING), ...rules.acl.map(({ grant, to }) => granted(to, grant))]
  const workspace = await session.stores.acls.setLocal(document, [{ name: 'local', aces }])
  for (const [name, { type, properties }] of Object.entries(rules.children))
    await ensureChild(session, {
      parent: workspace,
      name,
      type,
      properties: await readOwn(session, type, properties),
    })
  return emit(session, workspace, [documentEvent('userWorkspaceCreated', workspace, { owner })])
}

/** The user workspace of the session's principal; undefined until it is created. */
export const findUserWorkspace = async (session: Session): Promise<DocumentRecord | undefined> => {
  const rules = userWorkspaceRules(session.contributions)
  const name = workspaceName(session.principal.name)
  const place = (domain: string) => childPath(childPath(domain, rules.root.name), name)
  const found = await session.stores.documents.get(place(childPath('/', rules.domain)))
  if (found) return found
  const domain = await findDomain(privileged(session), rules)
  return domain?.path ? session.stores.documents.get(place(domain.path)) : undefined
}

/**
 * The user workspace of the session's principal, created with the rights of the product when it does not exist
 * (reference: security.md §12). Concurrent first calls return the same document.
 *
 * @throws conflict when there is no domain, notFound when the document at its path is hidden from the principal.
 */
export const getUserWorkspace = async (session: Session): Promise<DocumentRecord> => {
  const existing = await findUserWorkspace(session)
  const inside = privileged(session)
  const rules = userWorkspaceRules(session.contributions)
  const workspace = existing ?? (await make(inside, rules, await ensureRoot(inside, rules)))
  await requirePermission(session, workspace, 'Read')
  return workspace
}
