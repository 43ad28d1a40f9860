import { fail } from '../../platform/errors/index.js'
import { sweepTempFolders, withTempFolder } from './temp-folder.js'

/**
 * Lends private folders below `tempFolder`, each removed when its use settles; what killed processes of this machine
 * have left there is removed before the first.
 */
export const createWorkFolders = (tempFolder: string) => {
  let swept: Promise<void> | undefined
  const sweepOnce = () => {
    swept ??= sweepTempFolders(tempFolder).catch((error) => {
      swept = undefined
      throw error
    })
    return swept
  }
  return async <Result>(use: (folder: string) => Promise<Result>): Promise<Result> => {
    try {
      await sweepOnce()
      return await withTempFolder(tempFolder, use)
    } catch (error) {
      throw withoutPlace(error)
    }
  }
}

/** Errors of the file system, which another attempt may avoid, name the place of a file. */
const withoutPlace = (error: unknown): unknown => {
  const isSystem = error instanceof Error && 'syscall' in error && 'code' in error
  return isSystem ? fail('internal', `The conversion failed with ${error.code}`, { cause: error }) : error
}
