import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Moves a descriptor that is done to the folder of those, or removes it where there is none. One that is gone has been
 * moved before.
 */
export const settleDescriptor = async (
  path: string,
  { root, processed }: { root: string; processed: string | undefined },
): Promise<void> => {
  const from = join(root, path)
  if (processed === undefined) return rm(from, { force: true })
  const to = join(processed, path)
  await mkdir(dirname(to), { recursive: true })
  try {
    await rename(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    if (code !== 'EXDEV') throw error
    // Another disk takes a copy.
    await copyFile(from, to)
    await rm(from, { force: true })
  }
}
