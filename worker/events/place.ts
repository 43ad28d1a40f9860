import type { HandlerPlace } from './start-handler.js'

/** What starts the handlers of one repository of a platform. */
export const placeOn = (
  { platform, ...shared }: Omit<HandlerPlace, 'database' | 'repository'>,
  name: string,
): HandlerPlace => {
  const index = [...platform.repositories.keys()].indexOf(name)
  return {
    ...shared,
    platform: platform.repositories.get(name) ?? platform,
    database: platform.databases[index] ?? platform.database,
    repository: name === platform.repository ? undefined : name,
  }
}
