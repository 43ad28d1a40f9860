import type { z } from 'zod'
import type { Session } from '../../../core/content/documents/index.js'
import type { Schema } from '../../../core/model/content-model/index.js'
import { type Properties, readProperties } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { Platform } from '../../../runtime/index.js'
import { consumeUpload } from '../../consumed-uploads/index.js'
import type { RequestContext } from '../../edge/index.js'
import { parseInput } from '../../parse/index.js'
import { readJson } from './body.js'
import { isMultipart, readMultipartDocument } from './multipart-document.js'
import { createBlobReader, type UploadedParts } from './request-blobs.js'
import type { documentChange, newDocument } from './requests.schema.js'

/** A document in a request: its JSON, and the files of the same request. */
export type DocumentBody<Entity = { properties?: unknown }> = {
  entity: Entity
  parts: UploadedParts | undefined
}

export type NewDocumentBody = DocumentBody<z.output<typeof newDocument>>
export type DocumentChangeBody = DocumentBody<z.output<typeof documentChange>>

/**
 * Reads the body of a POST or PUT: a document as JSON, or `multipart/form-data` with that JSON first and files
 * after it.
 *
 * @throws badRequest naming the field that does not fit the schema.
 */
export const readDocumentBody = async <Entity>(
  c: RequestContext,
  { platform, schema }: { platform: Platform; schema: z.ZodType<Entity> },
): Promise<DocumentBody<Entity>> => {
  const { json, parts } = isMultipart(c)
    ? await readMultipartDocument(c, platform)
    : { json: await readJson(c, platform.settings.http.maxJsonBytes), parts: undefined }
  return { entity: parseInput(schema, json), parts }
}

/** The body without the batch id of its files, which differs when the same body is sent again. */
export const askedBy = ({ entity, parts }: DocumentBody): unknown => {
  if (!parts) return entity
  const files = [...parts.files]
  return [JSON.stringify(entity).replaceAll(parts.batch, ''), files]
}

/**
 * The stored form of the properties in a body.
 *
 * @throws badRequest for what does not fit its property, and for a file that no property refers to, of a document without
 * `file:content`.
 */
export const readBodyProperties = async (
  { entity, parts }: DocumentBody,
  {
    c,
    platform,
    session,
    schemas,
    isEmptyStringNull,
  }: {
    c: RequestContext
    platform: Platform
    session: Session
    schemas: readonly Schema[]
    isEmptyStringNull: boolean
  },
): Promise<Properties> => {
  const properties = await readProperties(entity.properties, {
    schemas,
    isEmptyStringNull,
    onBlob: createBlobReader({
      blobs: platform.blobs.ownedBy(session.principal),
      session,
      parts,
      findUpload: (upload) => consumeUpload(c, platform.uploads, upload),
      readSession: (name) => platform.repositories.get(name)?.readSession(session.principal),
    }),
  })
  const assumed = parts?.assumed
  if (assumed !== undefined && !Object.hasOwn(properties, assumed))
    throw fail(
      'badRequest',
      `${assumed}: the document has no such property for the file of the request: refer to it by {"upload-part": "<part name>"}`,
    )
  return properties
}
