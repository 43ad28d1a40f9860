import { createFreeNames } from '../names/index.js'

/** Characters of a name beside its extension, of which file systems take 255 bytes together. */
const LONGEST = 200
const LONGEST_EXTENSION = 20

/** A file name that is safe in an archive: without folders, so that nothing is unpacked elsewhere. */
const safe = (name: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = name.replace(/[/\\:\u0000-\u001f]/g, '_').trim()
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain
}

/** A long extension is none. */
const partsOf = (name: string): { base: string; extension: string } => {
  const dot = name.lastIndexOf('.')
  const end = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? dot : name.length
  return { base: name.slice(0, Math.min(end, LONGEST)), extension: name.slice(end) }
}

/** Makes names unique: `a.txt`, `a (1).txt`, ignoring case. Long ones are cut. */
export const createEntryNames = (): ((name: string | null) => string) => {
  const freeName = createFreeNames(
    (name, count) => {
      const { base, extension } = partsOf(name)
      return `${base} (${count})${extension}`
    },
    (name) => name.toLowerCase(),
  )
  return (name) => {
    const { base, extension } = partsOf(safe(name ?? ''))
    return freeName(`${base}${extension}`)
  }
}
