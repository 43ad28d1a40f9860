/**
 * First bytes of the pictures that may be embedded; WebP says RIFF, AVIF and HEIC `ftyp` after a length, of which no text
 * has the zeros.
 */
const RASTER =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8|BM|II\*\0|MM\0\*|RIFF[\s\S]{4}WEBP|\0\0[\s\S]{2}ftyp(?:avif|heic|mif1))/

/** Whether a file begins as one of these pictures does. */
export const isRaster = (bytes: Buffer): boolean => RASTER.test(bytes.toString('latin1', 0, 16))

const DATA = /^data:image\/[\w.+-]+((?:;[\w=.+-]+)*),([\s\S]*)$/i

const bytesOf = (parameters: string, text: string): Buffer => {
  if (/;base64$/i.test(parameters)) return Buffer.from(text, 'base64')
  try {
    return Buffer.from(decodeURIComponent(text))
  } catch {
    // Broken escapes hold no picture.
    return Buffer.alloc(0)
  }
}

/**
 * A reference that leads nowhere but into the file itself: `#fragment`, or an embedded picture, by its bytes and
 * whatever type it claims. An embedded SVG is sanitised as well. Null for all others.
 *
 * @param cleanSvg null for what is no SVG.
 */
export const cleanReference = (
  reference: string,
  cleanSvg: (text: string) => string | null,
): string | null => {
  const trimmed = reference.trim()
  if (trimmed.startsWith('#')) return trimmed
  const [, parameters, text] = DATA.exec(trimmed) ?? []
  if (parameters === undefined || text === undefined) return null
  const bytes = bytesOf(parameters, text)
  if (isRaster(bytes)) return trimmed
  const svg = cleanSvg(bytes.toString('utf8'))
  return svg === null ? null : `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
