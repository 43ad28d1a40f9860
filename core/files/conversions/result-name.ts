import { extname } from 'node:path'
import { extension } from 'mime-types'

/** The source's name with the extension of the result's mime type (blobs-conversions.md §3). */
export const resultName = (sourceName: string | null, mimeType: string): string => {
  const base = sourceName ? sourceName.slice(0, sourceName.length - extname(sourceName).length) : ''
  return `${base || 'converted'}.${extension(mimeType) || 'bin'}`
}
