import type { BlobValue } from '../types.js'
import { digestAlgorithmOf } from './digest.js'

/** The key under which a blob's bytes are stored; blobs of the same bytes share it. */
export const blobKey = ({ key, digest }: Pick<BlobValue, 'key' | 'digest'>): string => key ?? digest

/** True for a blob as documents hold it: a known digest, a length, and no key but a SHA-256. */
export const isBlobValue = (value: unknown): value is BlobValue => {
  if (typeof value !== 'object' || value === null) return false
  const { digest, length, digestAlgorithm, key } = value as Partial<Record<keyof BlobValue, unknown>>
  return (
    typeof digest === 'string' &&
    digestAlgorithmOf(digest) === digestAlgorithm &&
    (key === undefined || (typeof key === 'string' && digestAlgorithmOf(key) === 'SHA-256')) &&
    Number.isSafeInteger(length) &&
    Number(length) >= 0
  )
}
