import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../errors/index.js'
import type { ContributionFile } from './read-contributions.js'

/**
 * The configuration of a deployment as texts: every `*.yaml` of each folder in alphabetical order, folder after
 * folder; later ones merge with or override earlier ones.
 */
export const readConfiguration = async (folders: readonly string[]): Promise<ContributionFile[]> =>
  (await Promise.all(folders.map(readFolder))).flat()

const readFolder = async (folder: string): Promise<ContributionFile[]> => {
  const names = await readdir(folder).catch((cause: Error) => {
    throw fail('invalid', `The configuration folder ${folder} cannot be read: ${cause.message}`, { cause })
  })
  const yaml = names.filter((name) => /\.ya?ml$/.test(name)).sort()
  return Promise.all(
    yaml.map(async (name) => ({
      file: join(folder, name),
      text: await readFile(join(folder, name), 'utf8'),
    })),
  )
}
