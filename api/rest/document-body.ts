import type { Schema } from '../../core/content-model/index.js'
import type { Properties, Session } from '../../core/documents/index.js'
import { readProperties } from '../../core/properties/index.js'
import type { Platform } from '../../storage/platform/index.js'
import type { RequestContext } from '../environment.js'
import { readJson, requireEntity } from './body.js'
import { isMultipart, readMultipartDocument } from './multipart-document.js'
import { createBlobReader, type UploadedParts } from './request-blobs.js'

/** A document as it was sent: its JSON, and the files that came with it. */
export type DocumentBody = { entity: Record<string, unknown>; parts: UploadedParts | undefined }

/**
 * Reads the body of a POST or PUT: a document as JSON, or `multipart/form-data` with that JSON first and files
 * after it.
 */
export const readDocumentBody = async (c: RequestContext, platform: Platform): Promise<DocumentBody> => {
  if (isMultipart(c)) return readMultipartDocument(c, platform)
  const json = await readJson(c, platform.settings.http.maxJsonBytes)
  return { entity: requireEntity(json, 'document'), parts: undefined }
}

/** The stored form of the properties in a body. */
export const readBodyProperties = (
  { entity, parts }: DocumentBody,
  {
    platform,
    session,
    schemas,
    isEmptyStringNull,
  }: {
    platform: Platform
    session: Session
    schemas: readonly Schema[]
    isEmptyStringNull: boolean
  },
): Promise<Properties> =>
  readProperties(entity.properties, {
    schemas,
    isEmptyStringNull,
    onBlob: createBlobReader({
      blobs: platform.blobs,
      session,
      parts,
      readSession: (name) => platform.repositories.get(name)?.readSession(session.principal),
    }),
  })
