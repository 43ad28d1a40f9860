import {
  announcing,
  buildUserManagement,
  type Identities,
  type IdentityChanges,
  type PasswordPolicy,
} from '../core/access/identity/index.js'
import {
  buildDirectories,
  type Directories,
  type DirectoryCache,
  dataFilesOf,
} from '../core/content/directories/index.js'
import type { Session } from '../core/content/documents/index.js'
import type { Sql } from '../storage/postgres/index.js'
import { backends } from './backends.js'
import { withShippedLabels } from './configuration/shipped-labels.js'

/** What a deployment configures of users and directories. */
type Rules = Pick<Identities, 'rules'> & Pick<Directories, 'registry'>

const known = new WeakMap<Session['contributions'], Rules>()

/** What a process knows of changes of users, groups and directories, by whomever. */
export type MainDataChanges = { identities: IdentityChanges; entries: DirectoryCache }

/** Built once for each configuration: sessions are made for every request. */
export const mainDataRules = ({ contributions, model }: Pick<Session, 'contributions' | 'model'>): Rules => {
  const built = known.get(contributions)
  if (built) return built
  const rules = {
    rules: buildUserManagement(contributions),
    registry: withShippedLabels(buildDirectories(contributions, model), dataFilesOf(contributions)),
  }
  known.set(contributions, rules)
  return rules
}

type Held = { make(): object; made: object | undefined }

const ON_FIRST_USE: ProxyHandler<Held> = {
  get: (held, name) => {
    held.made ??= held.make()
    return Reflect.get(held.made, name)
  },
}

/**
 * Stands for an object until something of it is asked for. Sessions with accessors instead took 15 µs each to
 * make, with this a third of one (Node 20, two cores).
 */
const lazily = <Made extends object>(make: () => Made): Made =>
  // Whatever is asked of it is answered by what `make` gives.
  new Proxy<Held>({ make, made: undefined }, ON_FIRST_USE) as unknown as Made

/**
 * Users, groups and directories, which all repositories share, on a connection of the main database. They are
 * made when somebody asks for them: most sessions never do.
 *
 * @param isPool whether each statement stands for itself, so that what is read may be remembered.
 */
export const mainDataOn = (
  sql: Sql,
  parts: Pick<Session, 'contributions' | 'model'>,
  {
    changes: { identities, entries },
    passwords,
    isPool,
  }: { changes: MainDataChanges; passwords: PasswordPolicy; isPool: boolean },
): Pick<Session, 'identities' | 'directories'> => ({
  identities: lazily(() => ({
    ...announcing(backends.identities(sql), identities),
    rules: mainDataRules(parts).rules,
    passwords,
  })),
  directories: lazily(() => {
    const store = entries.writing(backends.directories(sql))
    return { registry: mainDataRules(parts).registry, store: isPool ? entries.reading(store) : store }
  }),
})
