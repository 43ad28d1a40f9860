import type { HandlerPlace } from './start-handler.js'

/** What starts the handlers of one repository of a platform. */
export const placeOn = (
  { platform, ...shared }: Omit<HandlerPlace, 'database' | 'repository' | 'principal'>,
  name: string,
): HandlerPlace => {
  const index = [...platform.repositories.keys()].indexOf(name)
  return {
    ...shared,
    platform: platform.repositories.get(name) ?? platform,
    database: platform.databases[index] ?? platform.database,
    principal: platform.authenticator.principal,
    repository: name === platform.repository ? undefined : name,
  }
}
