import { getEntry, labelOf, requireDirectory } from '../../content/directories/index.js'
import {
  getChildren,
  getNamedDocument,
  hasPermission,
  queryDocuments,
  type Session,
} from '../../content/documents/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import { businessDaysRegistry } from '../business-days/index.js'
import {
  documentsValue,
  documentValue,
  type OperationServices,
  type Value,
  VOID,
  valueOfJson,
} from '../language/index.js'
import type { Sequences } from '../run-store/index.js'
import { httpCall } from './http-call.js'

/** What host functions need of the transaction that calls. */
export type HostCaller = {
  session: Session
  sequences: Sequences
  services: OperationServices
  signal: AbortSignal
}

/** An argument: plain data, in which a document is `{ documentRef }`. */
type Argument = unknown
type HostFunction = (caller: HostCaller, args: readonly Argument[]) => Promise<Value>

const MAX_QUERIED = 10_000

const refOf = (value: Argument, name: string): string => {
  if (typeof value === 'string' && value !== '') return value.replace(/^doc:/, '')
  if (typeof value === 'object' && value !== null && 'documentRef' in value) return String(value.documentRef)
  throw fail('badRequest', `${name}: a document, its id or its path is expected`)
}

const textOf = (value: Argument, name: string): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw fail('badRequest', `${name}: a text is expected`)
}

/** Undefined for a document that is not there, or may not be seen. */
const orNothing = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (isArchivoltError(error) && (error.code === 'notFound' || error.code === 'forbidden')) return undefined
    throw error
  }
}

const maybeDocument = (record: DocumentRecord | undefined): Value => (record ? documentValue(record) : VOID)

/** The nearest readable document above that a rule accepts. */
const above = async (
  { session }: HostCaller,
  ref: string,
  accepts: (document: DocumentRecord) => boolean,
): Promise<DocumentRecord | undefined> => {
  let { parentId } = await getNamedDocument(session, ref)
  while (parentId !== null) {
    const parent: DocumentRecord | undefined = await orNothing(getNamedDocument(session, parentId))
    if (!parent || accepts(parent)) return parent
    parentId = parent.parentId
  }
  return undefined
}

const resolved = (base: string, path: string): string => {
  const parts = path.startsWith('/') ? [] : base.split('/')
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return `/${parts.filter((part) => part !== '').join('/')}`
}

const relative = async ({ session }: HostCaller, [document, path]: readonly Argument[]): Promise<string> => {
  const { path: base } = await getNamedDocument(session, refOf(document, 'document'))
  return resolved(base ?? '/', textOf(path, 'resolvePath'))
}

/** `user:ann` and `group:staff`, as some callers write names. */
const bare = (name: string): string => name.replace(/^(user|group):/, '')

const principalJson = async ({ session }: HostCaller, username: string): Promise<Value> => {
  const user = await session.identities.user(bare(username))
  if (!user) return VOID
  const { firstName, lastName, company, email } = user
  const groups = await session.identities.groupsOf(user.username)
  return valueOfJson({ name: user.username, firstName, lastName, company, email, groups, allGroups: groups })
}

const listOf = (value: Argument): readonly Argument[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]

const emailsOf = async ({ session }: HostCaller, names: readonly string[]): Promise<string[]> => {
  const users = await session.identities.users([...new Set(names.map(bare))])
  return users.flatMap(({ email }) => (email ? [email] : []))
}

/** Who belongs to a group, directly or not; with `ignoreGroups` only those that it names itself. */
const membersOf = async (
  { session }: HostCaller,
  [group, ignoreGroups]: readonly Argument[],
): Promise<string[]> => {
  const name = bare(textOf(group, 'group'))
  if (ignoreGroups !== true) return session.identities.allMembers([name])
  return (await session.identities.members(name, 'user')).entries
}

const limitDate: HostFunction = async ({ session }, [duration, from]) => {
  if (typeof duration !== 'string' && typeof duration !== 'number')
    throw fail('badRequest', 'getLimitDate: the label of a duration is expected')
  // Scripts send dates as text.
  if (!(from instanceof Date) && typeof from !== 'string')
    throw fail('badRequest', 'getLimitDate: the date with which it begins is expected')
  const limit = session.snapshot.get(businessDaysRegistry).limitDate(duration, new Date(from))
  return limit === null ? VOID : { type: 'date', value: limit.toISOString() }
}

const hostFunctions: { readonly [name: string]: HostFunction } = {
  'Fn.getPrincipal': (caller, [name]) => principalJson(caller, textOf(name, 'Fn.getPrincipal')),
  'Fn.getEmail': async (caller, [name]) =>
    valueOfJson((await emailsOf(caller, [textOf(name, 'Fn.getEmail')]))[0] ?? null),
  'Fn.getEmails': async (caller, [names]) =>
    valueOfJson(
      await emailsOf(
        caller,
        listOf(names).map((name) => textOf(name, 'Fn.getEmails')),
      ),
    ),
  'Fn.getPrincipalsFromGroup': async (caller, args) => {
    const found = await Promise.all(
      (await membersOf(caller, args)).map((name) => principalJson(caller, name)),
    )
    return { type: 'json', value: found.flatMap((user) => (user.type === 'json' ? [user.value] : [])) }
  },
  'Fn.getEmailsFromGroup': async (caller, args) =>
    valueOfJson(await emailsOf(caller, await membersOf(caller, args))),
  'Fn.getVocabularyLabel': async ({ session }, [vocabulary, key]) => {
    const name = textOf(vocabulary, 'Fn.getVocabularyLabel')
    requireDirectory(session, name)
    const id = textOf(key, 'Fn.getVocabularyLabel')
    const entry = await getEntry(session, name, id)
    return valueOfJson(entry ? labelOf(entry) : id)
  },
  'Fn.getNextId': async ({ sequences }, [key]) => ({
    type: 'number',
    value: await sequences.next(textOf(key, 'Fn.getNextId')),
  }),
  'Fn.documentExists': async ({ session }, [ref]) => {
    const found = await orNothing(getNamedDocument(session, refOf(ref, 'Fn.documentExists')))
    return { type: 'boolean', value: found !== undefined }
  },
  'Session.getDocument': async ({ session }, [ref]) =>
    documentValue(await getNamedDocument(session, refOf(ref, 'Session.getDocument'))),
  'Session.exists': (caller, args) => hostFunctions['Fn.documentExists']!(caller, args),
  'Session.query': async ({ session }, [nxql, limit]) => {
    const pageSize = typeof limit === 'number' && limit > 0 ? Math.min(limit, MAX_QUERIED) : MAX_QUERIED
    return documentsValue(
      (await queryDocuments(session, textOf(nxql, 'Session.query'), { pageSize })).entries,
    )
  },
  'Session.getChildren': async ({ session }, [ref]) =>
    documentsValue(
      await getChildren(session, await getNamedDocument(session, refOf(ref, 'Session.getChildren'))),
    ),
  'Session.getChild': async ({ session }, [ref, name]) => {
    const { path } = await getNamedDocument(session, refOf(ref, 'Session.getChild'))
    const child = textOf(name, 'Session.getChild')
    if (path === null || child === '' || child.includes('/')) throw fail('notFound', `'${child}' is no child`)
    return documentValue(await getNamedDocument(session, `${path === '/' ? '' : path}/${child}`))
  },
  'Session.getParentDocument': async (caller, [ref]) =>
    maybeDocument(await above(caller, refOf(ref, 'Session.getParentDocument'), () => true)),
  'Session.getRootDocument': async ({ session }) => documentValue(await getNamedDocument(session, '/')),
  'Session.hasPermission': async ({ session }, [ref, permission]) => {
    const found = await orNothing(getNamedDocument(session, refOf(ref, 'Session.hasPermission')))
    const isHeld = found && (await hasPermission(session, found, textOf(permission, 'Session.hasPermission')))
    return { type: 'boolean', value: Boolean(isHeld) }
  },
  'document.parent': async (caller, [document]) =>
    maybeDocument(await above(caller, refOf(document, 'document'), () => true)),
  'document.getParent': async (caller, [document, type]) =>
    maybeDocument(
      await above(
        caller,
        refOf(document, 'document'),
        (parent) => typeof type !== 'string' || parent.type === type,
      ),
    ),
  'document.workspace': async (caller, [document]) =>
    maybeDocument(await above(caller, refOf(document, 'document'), ({ type }) => type === 'Workspace')),
  'document.domain': async (caller, [document]) =>
    maybeDocument(await above(caller, refOf(document, 'document'), ({ type }) => type === 'Domain')),
  'document.resolvePath': async (caller, args) => valueOfJson(await relative(caller, args)),
  'document.resolvePathAsRef': async (caller, args) => valueOfJson(await relative(caller, args)),
  'BusinessDaysService.getLimitDate': limitDate,
  'HTTP.call': (caller, [user, password, method, url, data, headers]) =>
    httpCall(caller, { user, password, method, url, data, headers }),
  'HTTP.get': (caller, [url, headers]) => httpCall(caller, { method: 'GET', url, headers }),
  'HTTP.delete': (caller, [url, data, headers]) => httpCall(caller, { method: 'DELETE', url, data, headers }),
  'HTTP.post': (caller, [url, data, headers]) => httpCall(caller, { method: 'POST', url, data, headers }),
  'HTTP.put': (caller, [url, data, headers]) => httpCall(caller, { method: 'PUT', url, data, headers }),
  ...Object.fromEntries(
    (['firstName', 'lastName', 'company', 'email'] as const).map((field) => [
      `CurrentUser.${field}`,
      async ({ session }: HostCaller) =>
        valueOfJson((await session.identities.user(session.principal.name))?.[field] ?? null),
    ]),
  ),
}

/**
 * Answers what an expression or a script asks of the product (reference: automation.md §7), with the rights of who runs it.
 *
 * @throws badRequest for arguments of the wrong kind, notFound, and whatever the functions of the core throw.
 */
export const callHostFunction = (
  caller: HostCaller,
  name: string,
  args: readonly Argument[],
): Promise<Value> => {
  const hostFunction = Object.hasOwn(hostFunctions, name) ? hostFunctions[name] : undefined
  if (!hostFunction) throw fail('badRequest', `${name} is not known`)
  return hostFunction(caller, args)
}
