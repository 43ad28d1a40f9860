import { createMediaMaking, type MediaMaking } from '../../core/content/media/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { createMediaTasks } from '../../storage/postgres/index.js'
import type { AutomationRuntime } from '../automation/automation.js'
import type { Platform } from '../platform.js'

/** What makes things of files, by repository; the default one needs no name. */
export const createMediaMakings = (
  platform: Platform,
  { conversions, media }: Pick<AutomationRuntime, 'conversions' | 'media'>,
): ((repository: string | undefined) => MediaMaking) => {
  const { blobs } = platform
  const contributions = () => platform.snapshot().contributions
  const made = new Map<string, MediaMaking>()
  return (name = platform.repository) => {
    const repository = platform.repositories.get(name)
    if (!repository)
      throw fail('unavailable', `This process has no repository ${name}: set ARCHIVOLT_REPOSITORIES`)
    const known = made.get(name)
    if (known) return known
    const making = createMediaMaking({
      ...{ media, blobs, contributions },
      convert: conversions.convert,
      pictureViews: conversions.pictureViews,
      tasks: createMediaTasks(repository.database.sql),
      withSession: repository.withSession,
    })
    made.set(name, making)
    return making
  }
}
