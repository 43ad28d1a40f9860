/** Characters of a name beside its extension, of which file systems take 255 bytes together. */
const LONGEST = 200
const LONGEST_EXTENSION = 20

/** The two parts of a file's name as far as one is kept; a long extension is none. */
export const nameParts = (name: string): { base: string; extension: string } => {
  const dot = name.lastIndexOf('.')
  const end = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? dot : name.length
  return { base: name.slice(0, Math.min(end, LONGEST)), extension: name.slice(end) }
}

/** A file's name as clients can store it, with its extension. */
export const shortName = (name: string): string => {
  const { base, extension } = nameParts(name)
  return `${base}${extension}`
}
