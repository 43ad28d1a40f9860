import { extname } from 'node:path'
import { extension } from 'mime-types'

/** The source's name with the extension of the result's mime type, or the one that is known (blobs-conversions.md §3). */
export const resultName = (sourceName: string | null, mimeType: string, known?: string): string => {
  const base = sourceName ? sourceName.slice(0, sourceName.length - extname(sourceName).length) : ''
  return `${base || 'converted'}.${known ?? (extension(mimeType) || 'bin')}`
}
