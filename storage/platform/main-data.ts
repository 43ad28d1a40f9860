import { buildDirectories, type Directories } from '../../core/directories/index.js'
import type { Session } from '../../core/documents/index.js'
import {
  announcing,
  buildUserManagement,
  type Identities,
  type IdentityChanges,
} from '../../core/identity/index.js'
import { createDirectoryStore, createIdentityStore, type Sql } from '../postgres/index.js'

/** What a deployment configures of users and directories. */
type Rules = Pick<Identities, 'rules'> & Pick<Directories, 'registry'>

const known = new WeakMap<Session['contributions'], Rules>()

/** Built once for each configuration: sessions are made for every request. */
export const mainDataRules = ({ contributions, model }: Pick<Session, 'contributions' | 'model'>): Rules => {
  const built = known.get(contributions)
  if (built) return built
  const rules = {
    rules: buildUserManagement(contributions),
    registry: buildDirectories(contributions, model),
  }
  known.set(contributions, rules)
  return rules
}

/**
 * Users, groups and directories, which all repositories share, on a connection of the main database. They are
 * made when somebody asks for them: most sessions never do.
 */
export const mainDataOn = (
  sql: Sql,
  parts: Pick<Session, 'contributions' | 'model'>,
  changes: IdentityChanges,
): Pick<Session, 'identities' | 'directories'> => {
  let identities: Identities | undefined
  let directories: Directories | undefined
  return {
    get identities() {
      identities ??= { ...announcing(createIdentityStore(sql), changes), rules: mainDataRules(parts).rules }
      return identities
    },
    get directories() {
      directories ??= { registry: mainDataRules(parts).registry, store: createDirectoryStore(sql) }
      return directories
    },
  }
}
