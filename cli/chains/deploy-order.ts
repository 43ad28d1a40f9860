import type { ChainFile } from './chain-file.js'

const WORD = /[\p{L}\p{N}_.:-]/u

/** Does a text name an id, as a word of its own? */
export const mentions = (text: string, id: string): boolean => {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? ''
    const after = text[at + id.length] ?? ''
    // `id: other` is a key of YAML, and its colon no part of the id.
    if (!WORD.test(before) && (!WORD.test(after) || after === ':')) return true
  }
  return false
}

/** The files that a file may call. */
export const calledBy = (file: ChainFile, files: readonly ChainFile[]): ChainFile[] =>
  files.filter((other) => other !== file && mentions(file.text, other.id))

/** Callees before their callers, else as given. Chains that call one another in a circle stay as given. */
export const deployOrder = (files: readonly ChainFile[]): ChainFile[] => {
  const ordered = new Set<ChainFile>()
  const entered = new Set<ChainFile>()
  const visit = (file: ChainFile): void => {
    if (entered.has(file)) return
    entered.add(file)
    for (const callee of calledBy(file, files)) visit(callee)
    ordered.add(file)
  }
  for (const file of files) visit(file)
  return [...ordered]
}
