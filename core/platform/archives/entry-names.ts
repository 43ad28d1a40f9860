/** A file name that is safe in an archive: without folders, so that nothing is unpacked elsewhere. */
const safe = (name: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = name.replace(/[/\\:\u0000-\u001f]/g, '_').trim()
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain
}

/** Makes names unique: `a.txt`, `a (1).txt`, ignoring case. */
export const createEntryNames = (): ((name: string | null) => string) => {
  const taken = new Set<string>()
  return (name) => {
    const plain = safe(name ?? '')
    const dot = plain.lastIndexOf('.')
    const [base, extension] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, '']
    let free = plain
    for (let count = 1; taken.has(free.toLowerCase()); count++) free = `${base} (${count})${extension}`
    taken.add(free.toLowerCase())
    return free
  }
}
