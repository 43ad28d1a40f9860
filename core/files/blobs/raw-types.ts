/** Mime types of raw photos by their extensions, which no common list has. */
export const RAW_TYPES: ReadonlyMap<string, string> = new Map([
  ['cr2', 'image/x-canon-cr2'],
  ['cr3', 'image/x-canon-cr3'],
  ['nef', 'image/x-nikon-nef'],
  ['nrw', 'image/x-nikon-nrw'],
  ['arw', 'image/x-sony-arw'],
  ['orf', 'image/x-olympus-orf'],
  ['rw2', 'image/x-panasonic-rw2'],
  ['raf', 'image/x-fuji-raf'],
  ['pef', 'image/x-pentax-pef'],
  ['srw', 'image/x-samsung-srw'],
  ['dng', 'image/x-adobe-dng'],
])

const TYPES: ReadonlySet<string> = new Set(RAW_TYPES.values())

/** Whether a file of a type is a raw photo: many begin as a TIFF does, which would show their smallest picture. */
export const isRaw = (mimeType: string): boolean => TYPES.has(mimeType)
