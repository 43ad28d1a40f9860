import type { BlobValue } from '../types.js'
import { digestAlgorithmOf } from './digest.js'

/** True for a blob as documents hold it: a known digest and a length. */
export const isBlobValue = (value: unknown): value is BlobValue => {
  if (typeof value !== 'object' || value === null) return false
  const { digest, length, digestAlgorithm } = value as Partial<Record<keyof BlobValue, unknown>>
  return (
    typeof digest === 'string' &&
    digestAlgorithmOf(digest) === digestAlgorithm &&
    Number.isSafeInteger(length) &&
    Number(length) >= 0
  )
}
