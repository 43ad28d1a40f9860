/** A repository beside the default one: its name on the wire, and the database that holds its documents. */
export type RepositorySetting = { name: string; databaseUrl: string }

/** Name of the repository in the main database: the default of every call. */
export const DEFAULT_REPOSITORY = 'default'

/** Characters that an address and the name of a database may hold unescaped. */
const NAME = /^[a-z][a-z0-9_-]{0,31}$/

const siblingOf = (mainUrl: string, name: string): string => {
  const url = new URL(mainUrl)
  url.pathname = `${url.pathname}_${name.replaceAll('-', '_')}`
  return url.href
}

/**
 * Reads `ARCHIVOLT_REPOSITORIES`: names separated by commas, each alone or as `name=postgres://…`. A name alone
 * stands for the database `<main database>_<name>` on the main server.
 *
 * @throws Error naming the variable and the entry that is wrong.
 */
export const parseRepositories = (text: string, mainUrl: string): RepositorySetting[] => {
  const wrong = (reason: string) => new Error(`ARCHIVOLT_REPOSITORIES: ${reason}`)
  const repositories: RepositorySetting[] = []
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const equals = entry.indexOf('=')
    const name = equals < 0 ? entry : entry.slice(0, equals).trim()
    const databaseUrl = equals < 0 ? siblingOf(mainUrl, name) : entry.slice(equals + 1).trim()
    if (!NAME.test(name))
      throw wrong(`'${name}' is not a name of lower-case letters, digits, '_' and '-', at most 32 of them`)
    if (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl))
      throw wrong(`${name} needs a postgres:// address`)
    const isTaken = ({ name: taken, databaseUrl: url }: RepositorySetting) =>
      taken === name || url === databaseUrl
    if (name === DEFAULT_REPOSITORY || databaseUrl === mainUrl || repositories.some(isTaken))
      throw wrong(`${name} or its database is listed twice`)
    repositories.push({ name, databaseUrl })
  }
  return repositories
}
