/** Characters of a name beside its extension, of which file systems take 255 bytes together. */
const LONGEST = 200
const LONGEST_EXTENSION = 20

/** A file name that is safe in an archive: without folders, so that nothing is unpacked elsewhere. */
const safe = (name: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = name.replace(/[/\\:\u0000-\u001f]/g, '_').trim()
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain
}

/** Makes names unique: `a.txt`, `a (1).txt`, ignoring case. Long ones are cut. */
export const createEntryNames = (): ((name: string | null) => string) => {
  const taken = new Set<string>()
  /** The last number behind a name: looking from the first on takes ever longer for the same name many times. */
  const counts = new Map<string, number>()
  return (name) => {
    const plain = safe(name ?? '')
    const dot = plain.lastIndexOf('.')
    const hasExtension = dot > 0 && plain.length - dot <= LONGEST_EXTENSION
    const extension = hasExtension ? plain.slice(dot) : ''
    const base = plain.slice(0, Math.min(hasExtension ? dot : plain.length, LONGEST))
    const wanted = `${base}${extension}`
    const key = wanted.toLowerCase()
    let count = counts.get(key) ?? 0
    let free = wanted
    while (taken.has(free.toLowerCase())) free = `${base} (${++count})${extension}`
    counts.set(key, count)
    taken.add(free.toLowerCase())
    return free
  }
}
