import { type BlobStore, createBlobValue, type StoredBlob } from '../../files/blobs/index.js'
import type { Field } from '../../model/content-model/index.js'
import { type BlobValue, coerceText, type PropertyValue } from '../../model/properties/index.js'
import type { ZippedEntry } from '../../platform/archives/index.js'
import { fail } from '../../platform/errors/index.js'
import { unpacked } from './read-archive.js'
import { localName, textOf, type XmlNode } from './xml-node.js'

/** Where the files of values come from, and where they are stored. */
export type ValueFiles = {
  blobs: Pick<BlobStore, 'write'>
  /** A file beside the document. */
  blob(name: string): ZippedEntry | undefined
  maxBytes: number
  signal: AbortSignal
}

type Place = { field: Field; xpath: string }

const MD5 = /^[0-9a-f]{32}$/i

const store = async ({ blobs, blob, maxBytes, signal }: ValueFiles, data: string, xpath: string) => {
  const entry = blob(data)
  if (entry) return blobs.write(unpacked(entry), { signal, maxLength: Math.min(maxBytes, entry.length) })
  if (data.endsWith('.blob')) throw fail('badRequest', `${xpath}: the archive has no file ${data}`)
  return blobs.write(Buffer.from(data, 'base64'), { signal, maxLength: maxBytes })
}

const requireIntact = (stored: StoredBlob, digest: string | undefined, xpath: string): void => {
  const isKnown = stored.digestAlgorithm === 'MD5' && digest !== undefined && MD5.test(digest)
  if (isKnown && digest.toLowerCase() !== stored.digest)
    throw fail('badRequest', `${xpath}: the file is not the one of the digest ${digest}`)
}

/** A file beside the document, or in the XML as base64; null without any. */
const readBlob = async (node: XmlNode, xpath: string, files: ValueFiles): Promise<BlobValue | null> => {
  const data = textOf(node, 'data')
  if (data === undefined) return null
  const stored = await store(files, data, xpath)
  requireIntact(stored, textOf(node, 'digest'), xpath)
  return createBlobValue({
    stored,
    name: textOf(node, 'filename') ?? null,
    mimeType: textOf(node, 'mime-type') ?? null,
    encoding: textOf(node, 'encoding') ?? null,
  })
}

const readComplex = async (node: XmlNode, { field, xpath }: Place, files: ValueFiles) => {
  const value: { [name: string]: PropertyValue } = {}
  for (const child of node.children) {
    const name = localName(child.name)
    const part = field.fields.find((sub) => sub.name === name)
    const place = `${xpath}/${name}`
    if (!part) throw fail('badRequest', `${place}: there is no such field`)
    value[name] = await readValue(child, { field: part, xpath: place }, files)
  }
  return value
}

const readSingle = async (node: XmlNode, place: Place, files: ValueFiles): Promise<PropertyValue> => {
  const { field, xpath } = place
  const text = field.type === 'string' ? node.text : node.text.trim()
  if (node.children.length === 0 && text === '') return null
  if (field.type === 'blob') return readBlob(node, xpath, files)
  if (field.type === 'complex') return readComplex(node, place, files)
  if (node.children.length > 0) throw fail('badRequest', `${xpath}: holds elements instead of a value`)
  return coerceText(text, place)
}

/**
 * The value of an element, as its field wants it: an empty one is null, items of lists are its children.
 *
 * @throws badRequest naming the xpath for a value or a field that does not fit.
 */
export const readValue = async (node: XmlNode, place: Place, files: ValueFiles): Promise<PropertyValue> => {
  const { field, xpath } = place
  if (!field.isList) return readSingle(node, place, files)
  if (node.children.length === 0 && node.text.trim() === '') return null
  const items: PropertyValue[] = []
  for (const [index, item] of node.children.entries()) {
    const single = { field: { ...field, isList: false }, xpath: `${xpath}/${index}` }
    items.push(await readSingle(item, single, files))
  }
  return items
}
