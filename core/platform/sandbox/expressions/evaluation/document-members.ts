import { MVEL_METHODS } from '../language/translate.js'

const FIELDS = [
  ...['id', 'ref', 'name', 'path', 'type', 'title', 'description', 'lifeCycle', 'versionLabel', 'facets'],
  ...[
    'schemas',
    'isFolder',
    'isLocked',
    'lockOwner',
    'lockCreated',
    'isProxy',
    'isVersion',
    'isImmutable',
    'parent',
    'workspace',
    'domain',
  ],
]
/** Other names of fields, as Java beans have them. */
const BEANS = ['folder', 'locked', 'proxy', 'version', 'immutable', 'currentLifeCycleState', 'pathAsString']

const METHODS = [
  ...[
    'hasFacet',
    'hasSchema',
    'getPropertyValue',
    'toString',
    'getParent',
    'resolvePath',
    'resolvePathAsRef',
  ],
]

/** What a document of an expression has besides its properties, for suggestions. */
export const DOCUMENT_MEMBERS: readonly string[] = [...FIELDS, ...METHODS]

const KNOWN = new Set([...FIELDS, ...BEANS])
const CALLED = new Set([...METHODS, ...MVEL_METHODS])

/** Whether a document of an expression has a member, whatever its properties are. */
export const isDocumentMember = (name: string, { isCall }: { isCall: boolean }): boolean => {
  if (KNOWN.has(name) || METHODS.includes(name)) return true
  if (!isCall) return false
  const [, first, rest] = /^get([A-Z])(.*)$/.exec(name) ?? []
  return CALLED.has(name) || (first !== undefined && KNOWN.has(`${first.toLowerCase()}${rest}`))
}
