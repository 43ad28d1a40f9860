import { basename } from 'node:path'

const DEFAULT_NAME = 'result'

const decode = (encoded: string): string | undefined => {
  try {
    return decodeURIComponent(encoded)
  } catch {
    // Malformed escapes: the plain name is used.
    return undefined
  }
}

/** The file name that a Content-Disposition gives (RFC 6266), without any folder. */
export const fileNameOf = (disposition: string | null | undefined): string => {
  const text = disposition ?? ''
  const extended = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(text)?.[1]
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(text)
  const name = (extended && decode(extended)) ?? plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? ''
  const safe = basename(name.replaceAll('\\', '/'))
  return safe === '' || safe === '.' || safe === '..' || safe.includes('\0') ? DEFAULT_NAME : safe
}
