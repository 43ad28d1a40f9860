import { uploadVariable, type Value, type Variables } from '../../../../core/automation/language/index.js'
import type { RunRequest } from '../../../../core/automation/planning/index.js'
import { type BlobSource, type BlobValue, blobSourceOf } from '../../../../core/model/properties/index.js'

type Upload = Extract<BlobSource, { kind: 'upload' }>
type Find = (upload: { batch: string; file: string; field: string }) => Promise<BlobValue>

const uploadOf = (json: unknown): Upload | undefined => {
  // Most objects are none: a call with thousands of them is only looked through.
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, 'upload-batch')) return undefined
  const source = blobSourceOf(json)
  return source?.kind === 'upload' ? source : undefined
}

/** All uploads that JSON names, at any depth. */
const uploadsIn = (json: unknown): Upload[] => {
  if (typeof json !== 'object' || json === null) return []
  const upload = uploadOf(json)
  return upload ? [upload] : Object.values(json).flatMap(uploadsIn)
}

/** A value with the file or files that it names by uploads. */
const uploadedValue = async (value: Value, field: string, find: Find): Promise<Value> => {
  if (value.type !== 'json') return value
  const own = uploadOf(value.value)
  if (own) return { type: 'blob', blob: await find({ ...own, field }) }
  const listed = Array.isArray(value.value) ? value.value.map(uploadOf) : []
  const uploads = listed.filter((upload) => upload !== undefined)
  if (uploads.length === 0 || uploads.length < listed.length) return value
  const blobs: BlobValue[] = []
  for (const upload of uploads) blobs.push(await find({ ...upload, field }))
  return { type: 'blobs', blobs }
}

/**
 * A call with the files that it names by `upload-batch` and `upload-fileId`: as its input, as variables, as parameters,
 * which become variables of their names, and inside of parameters.
 *
 * @throws what `find` does.
 */
export const withUploads = async (request: RunRequest, find: Find): Promise<RunRequest> => {
  const params: RunRequest['params'] = {}
  const found: Variables = {}
  for (const [name, value] of Object.entries(request.variables))
    found[name] = await uploadedValue(value, `context.${name}`, find)
  for (const [name, value] of Object.entries(request.params)) {
    const field = `params.${name}`
    const upload = uploadOf(value)
    if (upload) {
      found[name] = { type: 'blob', blob: await find({ ...upload, field }) }
      continue
    }
    for (const inner of uploadsIn(value))
      found[uploadVariable(inner)] = { type: 'blob', blob: await find({ ...inner, field }) }
    params[name] = value
  }
  return {
    params,
    variables: found,
    input: await uploadedValue(request.input, 'input', find),
  }
}
