import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder or a file below the one that is imported: `path` is relative to it, with `/`; empty for itself. */
export type FoundEntry = { path: string; isFolder: boolean }

/** Called for what is left out: what is neither a file nor a folder, such as a link, and what may not be read. */
type OnOther = (path: string, reason: string) => void

const joined = (parent: string, name: string): string => (parent === '' ? name : `${parent}/${name}`)

async function* below(
  root: string,
  parent: string,
  after: readonly string[],
  onOther: OnOther,
): AsyncGenerator<FoundEntry> {
  const [from, ...rest] = after
  const entries = await readdir(join(root, parent), { withFileTypes: true }).catch(
    ({ code }: NodeJS.ErrnoException) => {
      onOther(parent, `cannot be read: ${code}`)
      return []
    },
  )
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (from !== undefined && entry.name < from) continue
    const path = joined(parent, entry.name)
    const isPassed = entry.name === from
    if (entry.isDirectory()) {
      if (!isPassed) yield { path, isFolder: true }
      yield* below(root, path, isPassed ? rest : [], onOther)
    } else if (entry.isFile()) {
      if (!isPassed) yield { path, isFolder: false }
    } else if (!isPassed) onOther(path, 'neither a file nor a folder')
  }
}

/**
 * What is below a folder of the server, each folder before what is in it, names in the order of their characters. Links
 * are not followed.
 *
 * @param after begins behind this path.
 */
export const walk = (
  root: string,
  { after, onOther }: { after: string | null; onOther: OnOther },
): AsyncGenerator<FoundEntry> => below(root, '', after === null ? [] : after.split('/'), onOther)
