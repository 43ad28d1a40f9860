import { z } from 'zod'
import { component, pageOf, pagingFields } from '../../openapi/index.js'

/** A file among the properties of a document (rest-documents.md §4). */
export const blobEntity = component(
  'blob',
  z
    .object({
      name: z.string().nullable(),
      'mime-type': z.string().nullable(),
      encoding: z.string().nullable(),
      digestAlgorithm: z.string().nullable(),
      digest: z.string().nullable(),
      length: z.string().describe('Bytes, as a text'),
      data: z.string().optional().describe('Address of the download; sent back, it keeps the file'),
    })
    .partial(),
)

export const aceEntity = z.object({
  id: z.string(),
  username: z.string(),
  permission: z.string(),
  granted: z.boolean(),
  creator: z.string().nullable(),
  begin: z.string().nullable(),
  end: z.string().nullable(),
  status: z.enum(['effective', 'pending', 'archived']),
})

/** The ACLs in force on a document (rest-documents.md §7). */
export const aclsEntity = component(
  'acls',
  z.object({
    'entity-type': z.literal('acls'),
    acl: z.array(z.object({ name: z.string(), ace: z.array(aceEntity) })),
  }),
  'The ACLs in force, the local ones first',
)

/** A name, or the entity that replaces it with `fetch-acls`. */
const principal = z.union([z.string(), z.looseObject({}), z.null()])

const enrichedAce = z.object({
  ...aceEntity.shape,
  username: principal,
  creator: principal,
  externalUser: z.boolean(),
  notify: z.boolean().optional(),
  comment: z.string().nullable().optional(),
})

const plainList = () => z.object({ 'entity-type': z.literal('documents'), entries: z.array(documentEntity) })

const address = z.object({ url: z.string().nullable() })

const workflows = z.array(z.looseObject({ 'entity-type': z.literal('workflow'), id: z.string() }))

const labels = z.array(z.looseObject({ id: z.string() }))

/** What enrichers add (rest-documents.md §6). */
const contextParameters = z
  .object({
    acls: z.array(z.object({ name: z.string(), aces: z.array(enrichedAce), ace: z.array(enrichedAce) })),
    audit: z.array(z.looseObject({ 'entity-type': z.literal('logEntry'), id: z.int(), eventId: z.string() })),
    get breadcrumb() {
      return plainList()
    },
    get children() {
      return plainList()
    },
    get collections() {
      return z.array(documentEntity)
    },
    documentURL: z.string().nullable(),
    favorites: z.object({ isFavorite: z.boolean() }),
    get firstAccessibleAncestor() {
      return documentEntity
    },
    hasContent: z.boolean(),
    highlight: z.array(z.object({ field: z.string(), segments: z.array(z.string()) })),
    hasFolderishChild: z.boolean(),
    pendingTasks: z.array(z.looseObject({ 'entity-type': z.literal('task'), id: z.string() })),
    permissions: z.array(z.string()),
    preview: address,
    publications: z.object({ resultsCount: z.int() }),
    renditions: z.array(z.object({ name: z.string(), kind: z.string(), icon: z.string(), url: z.string() })),
    runnableWorkflows: workflows,
    runningWorkflows: workflows,
    subscribedNotifications: z.array(z.string()),
    subtypes: z.array(z.object({ type: z.string(), facets: z.array(z.string()) })),
    tags: z.array(z.string()),
    thumbnail: address,
    userVisiblePermissions: z.array(z.string()),
    AllowedPermissions: z.array(z.string()),
    'dc:subjects': labels,
    'dc:coverage': labels,
  })
  .partial()
  .describe('The results of the requested enrichers')

/** A document (rest-documents.md §2). */
export const documentEntity = component(
  'document',
  z.object({
    'entity-type': z.literal('document'),
    repository: z.string(),
    uid: z.string().nullable().describe('Null for a document that is not saved'),
    path: z.string(),
    type: z.string(),
    state: z.string().nullable().describe('The life cycle state'),
    parentRef: z.string().nullable(),
    isCheckedOut: z.boolean(),
    isRecord: z.boolean(),
    retainUntil: z.string().nullable(),
    hasLegalHold: z.boolean(),
    isUnderRetentionOrLegalHold: z.boolean(),
    isVersion: z.boolean(),
    isProxy: z.boolean(),
    proxyTargetId: z.string().optional().describe('For proxies only'),
    versionableId: z.string().optional().describe('For versions and proxies only'),
    changeToken: z
      .string()
      .nullable()
      .describe('Sent back with a change, it refuses the change when the document has changed since'),
    isTrashed: z.boolean(),
    title: z.string(),
    versionLabel: z.string().optional().describe('With fetch-document: versionLabel'),
    lockOwner: z.string().optional().describe('With fetch-document: lock'),
    lockCreated: z.string().optional().describe('With fetch-document: lock'),
    lastModified: z.string().optional(),
    properties: z
      .looseObject({})
      .optional()
      .describe('Properties of the requested schemas; each type has a schema of its own'),
    facets: z.array(z.string()),
    schemas: z.array(z.object({ name: z.string(), prefix: z.string() })),
    contextParameters: contextParameters.optional(),
  }),
  'A document',
)

const bucket = z.looseObject({ key: z.string(), docCount: z.int() })

const aggregate = component(
  'aggregate',
  z.object({
    'entity-type': z.literal('aggregate'),
    id: z.string(),
    field: z.string(),
    properties: z.record(z.string(), z.string()),
    ranges: z.array(z.looseObject({})),
    selection: z.array(z.string()),
    type: z.string(),
    value: z.union([z.number(), z.string(), z.null()]).optional(),
    buckets: z.array(bucket),
    extendedBuckets: z.array(bucket),
  }),
)

/** A page of documents (rest-documents.md §2). */
export const documentsPage = component(
  'documents',
  z.object({
    'entity-type': z.literal('documents'),
    ...pagingFields,
    aggregations: z.record(z.string(), aggregate).optional(),
    quickFilters: z.array(z.object({ name: z.string(), active: z.boolean() })).optional(),
    entries: z.array(documentEntity),
  }),
  'A page of documents',
)

const businessFields = z
  .looseObject({})
  .describe('The fields of the adapter; the response has `id` and `type` too')

/** A document as a business object. */
export const businessObject = component(
  'businessObject',
  z.object({ 'entity-type': z.string().describe('The name of the adapter'), value: businessFields }),
  'A document as a business object',
)

export const businessObjects = pageOf('adapters', businessObject, 'business objects')
