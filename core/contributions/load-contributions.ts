import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../errors/index.js'
import type { ExtensionPoint } from './extension-point.js'
import { type Contributions, mergeContributions } from './merge-contributions.js'
import type { ContributionFile } from './read-contributions.js'

/**
 * Loads the configuration of a deployment: every `*.yaml` of each folder in alphabetical order, folder after
 * folder, then what was deployed at run time; later ones merge with or override earlier ones.
 */
export const loadContributions = async ({
  folders,
  extensionPoints,
  deployed = [],
}: {
  folders: readonly string[]
  extensionPoints: readonly ExtensionPoint[]
  deployed?: readonly ContributionFile[]
}): Promise<Contributions> => {
  const files = (await Promise.all(folders.map(readFolder))).flat()
  return mergeContributions([...files, ...deployed], extensionPoints)
}

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
