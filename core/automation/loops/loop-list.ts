import { type TransientStore, type Value, valueOfJson } from '../language/index.js'
/** How many elements a list holds; undefined for anything else. */
export const countOf = (list: Value | undefined): number | undefined => {
  if (list?.type === 'documents') return list.ids.length
  if (list?.type === 'documentList') return list.count
  if (list?.type === 'blobs') return list.blobs.length
  return list?.type === 'json' && Array.isArray(list.value) ? list.value.length : undefined
}

/** Elements of a list from one position to another (exclusive). */
export const elementsOf = async (
  transient: TransientStore,
  list: Value,
  { from, to }: { from: number; to: number },
): Promise<Value[]> => {
  if (list.type === 'documents') return list.ids.slice(from, to).map((id) => ({ type: 'document', id }))
  if (list.type === 'documentList') {
    return (await transient.getList(list.key, from, to)).map((id) => ({ type: 'document', id }))
  }
  if (list.type === 'blobs') return list.blobs.slice(from, to).map((blob) => ({ type: 'blob', blob }))
  if (list.type === 'json' && Array.isArray(list.value)) return list.value.slice(from, to).map(valueOfJson)
  return []
}
