import { fail } from '../../platform/errors/index.js'
import type { DirectorySession } from './backends/backend.js'
import { hasLabelField, isObsolete, labelOf } from './labels.js'
import { findEntries, requireDirectory } from './read.js'
import type { DirectoryEntry } from './types.js'

export type SuggestOptions = {
  /** What labels must begin with; everything when empty. */
  term: string
  labelField: string
  language: string
  /** Whether labels may have the term anywhere. */
  isContained: boolean
  isCaseSensitive: boolean
  /** Whether entries with others below them are suggested for themselves. */
  canSelectParent: boolean
  /** Whether an entry whose own label fits is suggested with everything below it. */
  filterParent: boolean
  withObsolete: boolean
  keySeparator: string
  labelSeparator: string
}

/** An entry with those below it that fit; an entry that does not fit itself is there for theirs. */
export type Suggestion = {
  directory: string
  entry: DirectoryEntry
  label: string
  /** Ids from the top, joined: what documents keep of a hierarchical vocabulary. */
  computedId: string
  absoluteLabel: string
  /** Undefined where the vocabulary is flat. */
  children?: readonly Suggestion[]
}

type Node = { directory: string; entry: DirectoryEntry; children: Node[] }

/** Longer than any hierarchy of vocabularies: ends the iteration over entries that contain one another. */
const MAX_DEPTH = 20

/**
 * Suggestions of a directory while somebody types (reference: automation.md §11, Directory.SuggestEntries): entries in
 * the directory's order, those of a hierarchical one below their parents.
 *
 * @throws notFound when there is no such directory, badRequest for a label field that it does not have.
 */
export const suggestEntries = async (
  session: DirectorySession,
  name: string,
  options: SuggestOptions,
): Promise<Suggestion[]> => {
  const directory = requireDirectory(session, name)
  if (!hasLabelField(directory, options.labelField))
    throw fail('badRequest', `labelFieldName: directory '${name}' has no field '${options.labelField}'`)
  const isFlat = directory.parentDirectory === null
  const nodes = isFlat
    ? (await visible(session, name, options)).map((entry) => ({ directory: name, entry, children: [] }))
    : await treeOf(session, name, options)
  return nodes.flatMap((node) => fitting(node, options, { isFlat, ids: [], labels: [] }) ?? [])
}

const visible = async (
  session: DirectorySession,
  name: string,
  { withObsolete }: SuggestOptions,
): Promise<DirectoryEntry[]> =>
  (await findEntries(session, name)).entries.filter((entry) => withObsolete || !isObsolete(entry))

/** Entries of a directory and of those above it, as trees. */
const treeOf = async (session: DirectorySession, name: string, options: SuggestOptions): Promise<Node[]> => {
  const levels: Node[][] = []
  let at: string | null = name
  const seen = new Set<string>()
  while (at !== null && !seen.has(at)) {
    seen.add(at)
    const directory: string = at
    levels.push(
      (await visible(session, directory, options)).map((entry) => ({ directory, entry, children: [] })),
    )
    at = requireDirectory(session, directory).parentDirectory
  }
  const isOwnParent = at !== null
  const roots: Node[] = []
  levels.forEach((level, index) => {
    const isTop = index === levels.length - 1
    const above = isTop ? (isOwnParent ? level : []) : levels[index + 1]!
    const byId = new Map(above.map((node) => [node.entry.id, node]))
    for (const node of level) {
      const parent = byId.get(String(node.entry.properties.parent ?? ''))
      if (parent) parent.children.push(node)
      else if (isTop) roots.push(node)
    }
  })
  return roots
}

type Above = { isFlat: boolean; ids: readonly string[]; labels: readonly string[] }

const fitting = (node: Node, options: SuggestOptions, above: Above): Suggestion | undefined => {
  const { entry, directory } = node
  const label = labelOf(entry, { field: options.labelField, language: options.language })
  const ids = [...above.ids, entry.id]
  const labels = [...above.labels, label]
  if (ids.length > MAX_DEPTH) return undefined
  const fits = matches(label, options)
  const below = fits && options.filterParent ? { ...options, term: '' } : options
  const children = node.children.flatMap((child) => fitting(child, below, { ...above, ids, labels }) ?? [])
  const isLeaf = node.children.length === 0
  if (children.length === 0 && !(fits && (isLeaf || options.canSelectParent))) return undefined
  return {
    directory,
    entry,
    label,
    computedId: ids.join(options.keySeparator),
    absoluteLabel: labels.join(options.labelSeparator),
    ...(!above.isFlat && { children }),
  }
}

const matches = (label: string, { term, isCaseSensitive, isContained }: SuggestOptions): boolean => {
  const [text, part] = isCaseSensitive ? [label, term] : [label.toLowerCase(), term.toLowerCase()]
  return isContained ? text.includes(part) : text.startsWith(part)
}
