import { shortName } from '../../platform/names/index.js'

/** The bytes that RFC 8187 leaves as they are in an extended parameter (attr-char). */
const ATTR_CHAR = /[A-Za-z0-9!#$&+\-.^_`|~]/

/**
 * Content-Disposition of a download: `attachment; filename*=UTF-8''<percent-encoded>` (RFC 6266, RFC 8187).
 * A long name is cut. Only attr-chars stay bare, so quotes, CR, LF and separators of a hostile name cannot leave the parameter.
 */
export const contentDisposition = (fileName: string | null, isInline = false): string => {
  const kind = isInline ? 'inline' : 'attachment'
  const name = fileName && safeName(fileName)
  return name ? `${kind}; filename*=UTF-8''${encodeExtended(shortName(name))}` : kind
}

/** Marks that change the direction of text: `gpj.exe` behind one is shown as `exe.jpg`. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** What a client may store under: the last segment, without marks of direction; nothing for a name of dots alone. */
const safeName = (fileName: string): string => {
  const name = fileName.replace(DIRECTION_MARKS, '').split(/[/\\]/).at(-1) ?? ''
  return /^\.*$/.test(name) ? '' : name
}

// Over bytes rather than encodeURIComponent, which throws on half a surrogate pair.
const encodeExtended = (text: string): string => Array.from(Buffer.from(text, 'utf8'), encodeByte).join('')

const encodeByte = (byte: number): string => {
  const char = String.fromCharCode(byte)
  return ATTR_CHAR.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
