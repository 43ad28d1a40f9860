import { type TransientStore, type Value, valueOfJson } from '../language/index.js'
import type { Items } from './sources/source.js'
/** How many items a list holds; undefined for anything else. */
export const countOf = (list: Value | undefined): number | undefined => {
  if (list?.type === 'documents') return list.ids.length
  if (list?.type === 'documentList') return list.count
  if (list?.type === 'blobs') return list.blobs.length
  return list?.type === 'json' && Array.isArray(list.value) ? list.value.length : undefined
}

type Range = { from: number; to: number }

const valuesOf = async (transient: TransientStore, list: Value, { from, to }: Range): Promise<Value[]> => {
  if (list.type === 'documents') return list.ids.slice(from, to).map((id) => ({ type: 'document', id }))
  if (list.type === 'documentList')
    return (await transient.getList(list.key, from, to)).map((id) => ({ type: 'document', id }))
  if (list.type === 'blobs') return list.blobs.slice(from, to).map((blob) => ({ type: 'blob', blob }))
  if (list.type === 'json' && Array.isArray(list.value)) return list.value.slice(from, to).map(valueOfJson)
  return []
}

/** Items of a list from one position to another (exclusive). */
export const readList = async (
  transient: TransientStore,
  list: Value,
  { from, to, total }: Range & { total: number },
): Promise<Items> => {
  const values = from < total ? await valuesOf(transient, list, { from, to: Math.min(to, total) }) : []
  return { items: values.map((value, index) => ({ position: from + index, value })) }
}
