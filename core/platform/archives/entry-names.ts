import { createFreeNames, nameParts, shortName } from '../names/index.js'

/** A file name that is safe in an archive: without folders, so that nothing is unpacked elsewhere. */
const safe = (name: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = name.replace(/[/\\:\u0000-\u001f]/g, '_').trim()
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain
}

/** Makes names unique: `a.txt`, `a (1).txt`, ignoring case. Long ones are cut. */
export const createEntryNames = (): ((name: string | null) => string) => {
  const freeName = createFreeNames(
    (name, count) => {
      const { base, extension } = nameParts(name)
      return `${base} (${count})${extension}`
    },
    (name) => name.toLowerCase(),
  )
  return (name) => freeName(shortName(safe(name ?? '')))
}
