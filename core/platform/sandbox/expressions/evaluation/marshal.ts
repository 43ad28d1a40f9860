import { fail } from '../../../errors/index.js'
import { TAG } from '../prelude/prelude.js'
import type { DocumentReference, HostDocument } from '../types.js'

const DEEPEST = 200

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export const isHostDocument = (value: unknown): value is HostDocument =>
  isRecord(value) && typeof value.get === 'function' && typeof value.id === 'string'

/** The documents that were passed to one evaluation; the sandbox knows them by index. */
export type DocumentTable = { documents: HostDocument[]; indexes: Map<HostDocument, number> }

export const createDocumentTable = (): DocumentTable => ({ documents: [], indexes: new Map() })

/** The index of a document in the sandbox, the same each time. */
export const indexOf = (document: HostDocument, { documents, indexes }: DocumentTable): number => {
  const known = indexes.get(document)
  if (known !== undefined) return known
  const index = documents.push(document) - 1
  indexes.set(document, index)
  return index
}

const plain = (value: unknown, table: DocumentTable, depth: number): unknown => {
  if (depth > DEEPEST) throw fail('badRequest', 'A value for an expression is too deeply nested')
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'function' || typeof value === 'symbol') return null
  if (!isRecord(value)) return value ?? null
  if (value instanceof Date) return { [TAG]: 'date', v: value.getTime() }
  if (isHostDocument(value)) return { [TAG]: 'document', v: indexOf(value, table) }
  if (Array.isArray(value)) return value.map((item) => plain(item, table, depth + 1))
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  // A caller's key that looks like the tag would forge a value.
  const kept = entries.filter(([key]) => key !== TAG)
  return Object.fromEntries(kept.map(([key, item]) => [key, plain(item, table, depth + 1)]))
}

/** JSON for the sandbox: dates and host documents tagged, functions null. */
export const encodeForSandbox = (value: unknown, table: DocumentTable): string =>
  JSON.stringify(plain(value, table, 0))

const unpack = (value: unknown, table: DocumentTable): unknown => {
  if (Array.isArray(value)) return value.map((item) => unpack(item, table))
  if (!isRecord(value)) return value
  if (value[TAG] === 'date') return new Date(Number(value.v))
  if (value[TAG] === 'document') {
    const document = table.documents[Number(value.v)]
    return { documentRef: document?.id ?? '' } satisfies DocumentReference
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item, table)]))
}

/** The plain data of what the sandbox encoded; it has checked depth and keys. */
export const decodeFromSandbox = (json: string, table: DocumentTable): unknown =>
  unpack(JSON.parse(json), table)
