import { isStorable } from './read-scalar.js'

type Described = { name: string | null; mimeType: string | null; encoding: string | null }

/** Where the JSON of a blob says that its bytes are (rest-documents.md §4, forms 1, 2 and 4). */
export type BlobSource =
  | ({ kind: 'text'; text: string } & Described)
  /** A download address of this server, or somebody else's: the callback knows. */
  | ({ kind: 'url'; url: string } & Described)
  | { kind: 'upload'; batch: string; file: string }

/** `files/{id}?path={xpath}`, `nxbigfile/{repository}/{id}/{xpath}`: addresses of files, below a base that is left out. */
const RELATIVE = /^(?:\.?\/)?(?:[\w-]+\/)*(?:files\/[^/?\s]+\?path=|nx(?:big)?file\/[^/\s]+\/)\S+$/

/** Characters of such an address. */
const LONGEST = 4_000

/** Recognises the form; undefined when it is none. */
export const blobSourceOf = (json: unknown): BlobSource | undefined => {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
  const text = (key: string): string | null => {
    const value: unknown = Object.hasOwn(json, key) ? Reflect.get(json, key) : undefined
    return typeof value === 'string' ? value : null
  }
  const described = {
    name: text('filename') ?? text('name'),
    mimeType: text('mime-type'),
    encoding: text('encoding'),
  }
  if (!Object.values(described).every((value) => value === null || isStorable(value))) return undefined
  const data = text('data')
  if (data !== null && (data.startsWith('http') || (data.length <= LONGEST && RELATIVE.test(data))))
    return { kind: 'url', url: data, ...described }
  const inline = data ?? text('content')
  if (inline !== null) return { kind: 'text', text: inline, ...described }
  const batch = text('upload-batch')
  const file = text('upload-fileId')
  return batch !== null && file !== null ? { kind: 'upload', batch, file } : undefined
}
