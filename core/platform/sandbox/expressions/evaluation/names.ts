import type { ExpressionScope, HostDocument } from '../types.js'
import { type DocumentTable, encodeForSandbox, indexOf } from './marshal.js'
import type { Inbound } from './realm.js'

/** The binding of a name: the letter by which the sandbox wraps it, and the value passed in. */
export type Binding = { kind: string; value: Inbound }

type Builtin = (scope: ExpressionScope, table: DocumentTable) => Binding | undefined

export const toInbound = (value: unknown, table: DocumentTable): Inbound => {
  if (value === null || value === undefined) return null
  // A string crosses as a C string, which ends at a NUL.
  if (typeof value === 'string') return value.includes('\0') ? { json: JSON.stringify(value) } : value
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return { json: encodeForSandbox(value, table) }
}

const data = (value: unknown, table: DocumentTable): Binding => {
  const inbound = toInbound(value, table)
  // The sandbox revives it itself, which saves a call.
  return typeof inbound === 'object' && inbound !== null
    ? { kind: 'j', value: inbound.json }
    : { kind: 'v', value: inbound }
}

export const documentOf = ({ document, documents }: ExpressionScope): HostDocument | undefined =>
  document ?? documents?.[0]

const user = ({ principal }: ExpressionScope, table: DocumentTable): Binding => ({
  kind: 'u',
  value: encodedUser(principal, table),
})

const encodedUsers = new WeakMap<ExpressionScope['principal'], string>()

/** Authentication remembers principals, so that most expressions find theirs written out. */
const encodedUser = (principal: ExpressionScope['principal'], table: DocumentTable): string => {
  const known = encodedUsers.get(principal) ?? encodeForSandbox(userData(principal), table)
  encodedUsers.set(principal, known)
  return known
}

/** The fields of `CurrentUser` that need no host call. */
export const userData = (principal: ExpressionScope['principal']) => ({
  ...principal,
  administrator: principal.isAdministrator,
  allGroups: principal.groups,
  actingUser: principal.name,
  originatingUser: principal.name,
})

const builtins: Readonly<Record<string, Builtin>> = {
  Document: (scope, table) => {
    const document = documentOf(scope)
    return document && { kind: 'd', value: indexOf(document, table) }
  },
  currentDocument: (scope, table) => builtins.Document!(scope, table),
  Documents: ({ documents }, table) => documents && data(documents, table),
  This: (scope, table) => data(scope.input ?? scope.document ?? scope.documents, table),
  Context: () => ({ kind: 'c', value: null }),
  ChainParameters: ({ variables }, table) => data(own(variables, 'ChainParameters') ?? {}, table),
  CurrentUser: user,
  currentUser: user,
  CurrentDate: ({ now }) => ({ kind: 't', value: now.getTime() }),
  Env: () => ({ kind: 'e', value: null }),
  Fn: () => ({ kind: 'f', value: null }),
  Session: () => ({ kind: 's', value: null }),
  HTTP: () => ({ kind: 'h', value: null }),
  BusinessDaysService: () => ({ kind: 'b', value: null }),
}

const own = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Names in every expression. */
export const PLATFORM_NAMES: readonly string[] = Object.keys(builtins)

/** Whether a name is the platform's, whatever variables exist. */
export const isPlatformName = (name: string): boolean => Object.hasOwn(builtins, name)

/** The binding of a name in a scope; undefined when the scope has none. The platform's names win. */
export const bindingOf = (
  name: string,
  scope: ExpressionScope,
  table: DocumentTable,
): Binding | undefined => {
  if (isPlatformName(name)) return builtins[name]!(scope, table)
  return Object.hasOwn(scope.variables, name) ? data(scope.variables[name], table) : undefined
}

export const documentField = (document: HostDocument, property: string): unknown => {
  switch (property) {
    case 'id':
    case 'ref':
      return document.id
    case 'lifeCycle':
      return document.state
    case 'title':
      return document.get('dc:title') ?? document.name
    case 'description':
      return document.get('dc:description')
    case 'isImmutable':
      return document.isVersion || document.facets.includes('Immutable')
    case 'isLocked':
      return document.lockOwner !== null
    case 'name':
    case 'path':
    case 'type':
    case 'facets':
    case 'schemas':
    case 'versionLabel':
    case 'isProxy':
    case 'isVersion':
    case 'lockOwner':
    case 'lockCreated':
    case 'isFolder':
      return document[property]
    default:
      return document.get(property) ?? null
  }
}

/** Answers the sandbox while it runs. `index` is a document's, or 1 to ask whether a name exists. */
export const answer = (
  { kind, index, name }: { kind: string; index: number; name: string },
  { scope, table }: { scope: ExpressionScope; table: DocumentTable },
): Inbound => {
  if (kind === 'document') {
    const document = table.documents[index]
    return document === undefined ? null : toInbound(documentField(document, name), table)
  }
  const record = kind === 'env' ? scope.env : scope.variables
  return index === 1 ? Object.hasOwn(record, name) : toInbound(own(record, name), table)
}
