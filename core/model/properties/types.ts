/** A stored blob as it stands in a document's properties and travels between operations. */
export type BlobValue = {
  name: string | null
  'mime-type': string | null
  encoding: string | null
  digestAlgorithm: string
  /** Lower-case hex digest, for clients: files that differ may share an MD5, so nothing is found or compared by it. */
  digest: string
  /** Lower-case hex SHA-256, the key in the blob store; absent in what release 0.1.0 stored, under `digest`. */
  key?: string
  /** Bytes, as a number here and as a string on the wire. */
  length: number
}

export type PropertyValue =
  | null
  | string
  | number
  | boolean
  | PropertyValue[]
  | { [field: string]: PropertyValue }

/**
 * Values by prefixed name (`dc:title`), one level of keys; complex values are nested below. Dates are
 * ISO 8601 in UTC with milliseconds, so that they sort as text. Absent means null.
 */
export type Properties = { [property: string]: PropertyValue }

/** One row of the repository: a document, a version or a proxy. */
export type DocumentRecord = {
  id: string
  parentId: string | null
  name: string
  /** Absolute; the root is `/`. Null for what has no place in the hierarchy (versions). */
  path: string | null
  position: number | null
  type: string
  /** Facets of this instance beyond its type's. */
  facets: string[]
  lifecycleState: string | null
  isVersion: boolean
  isProxy: boolean
  isCheckedIn: boolean
  isTrashed: boolean
  majorVersion: number
  minorVersion: number
  /** Versions: the live document's id. Shared by a whole series. */
  versionSeriesId: string | null
  versionLabel: string | null
  versionDescription: string | null
  versionCreatedAt: Date | null
  isLatestVersion: boolean
  isLatestMajorVersion: boolean
  /** Live documents: the version they were last checked in as, or restored from. */
  baseVersionId: string | null
  /** Proxies: the version, or the live document, that they show. */
  proxyTargetId: string | null
  /** Proxies: the live document whose version, or which itself, they show. */
  proxyVersionSeriesId: string | null
  lockOwner: string | null
  lockedAt: Date | null
  /** Counts every write. */
  systemToken: number
  /** Counts the writes that a user asked for; the half of the changeToken that is compared. */
  userToken: number
  /** Key of the effective ACL, shared by whole subtrees. */
  aclId: number
  properties: Properties
}

/** A document by id, or by absolute path when the text starts with `/`. */
export type DocumentRef = string
