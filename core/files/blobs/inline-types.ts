/**
 * Types that browsers show without running anything in them. A list of what is allowed: browsers take every type that
 * ends with `+xml` for a page with scripts, whatever it begins with.
 */
const PASSIVE: ReadonlySet<string> = new Set([
  'application/pdf',
  'text/plain',
  ...['apng', 'avif', 'bmp', 'gif', 'heic', 'heif', 'jpeg', 'jxl', 'png', 'tiff', 'webp'].map(
    (type) => `image/${type}`,
  ),
  ...['vnd.microsoft.icon', 'x-icon', 'x-ms-bmp'].map((type) => `image/${type}`),
  ...['aac', 'flac', 'midi', 'mp4', 'mpeg', 'ogg', 'opus', 'wav', 'webm', 'x-wav'].map(
    (type) => `audio/${type}`,
  ),
  ...['mp4', 'mpeg', 'ogg', 'quicktime', 'webm', 'x-matroska', 'x-msvideo'].map((type) => `video/${type}`),
])

/** @param mimeType `type/subtype` in lower case, without parameters */
export const isPassive = (mimeType: string): boolean => PASSIVE.has(mimeType)
