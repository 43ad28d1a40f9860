import type { createPlatform, Platform } from '../../../runtime/index.js'
import { ADMIN_PASSWORD, createTestPlatform as createPlatformWithSettings } from '../../support/platform.js'

export { ADMIN_PASSWORD }

/** A platform on a database and a folder of its own; call it at the top level of a test file. */
export const createTestPlatform = async (
  environment: NodeJS.ProcessEnv = {},
  options: Parameters<typeof createPlatform>[2] = {},
): Promise<Platform> => {
  const { platform } = await createPlatformWithSettings(
    { PATH: '', ARCHIVOLT_DATABASE_POOL: '8', ...environment },
    undefined,
    options,
  )
  return platform
}
