import type { Logger } from 'pino'
import {
  type Authenticator,
  createAuthenticator,
  type LoginEvent,
  loginEvent,
  type PasswordPolicy,
} from '../core/access/identity/index.js'
import type { Database } from '../storage/postgres/index.js'
import { backends } from './backends.js'
import type { PlatformSnapshot } from './configuration/snapshots.js'
import { type MainDataChanges, mainDataRules } from './main-data.js'

/** Who logs in on the main database, by the rules that are deployed at that moment. Logins are events, failed ones are logged. */
export const openAuthenticator = ({
  database: { sql },
  snapshot,
  passwords,
  changes,
  logger,
}: {
  database: Database
  snapshot(): PlatformSnapshot
  passwords: PasswordPolicy
  changes: MainDataChanges
  logger: Logger
}): Authenticator => {
  const identities = backends.identities(sql)
  const noteLogin = (name: string, event: LoginEvent): Promise<void> =>
    identities.emit(name, [loginEvent(name, event)])
  return createAuthenticator({
    store: identities,
    tries: backends.loginTries(sql),
    rules: () => mainDataRules(snapshot()).rules,
    passwords,
    changes: changes.identities,
    onFailed: async (login) => {
      logger.warn(login, 'login failed')
      // Tries beyond the limit are as many as anybody likes to send.
      if (login.reason === 'wrong') await noteLogin(login.account, 'loginFailed')
    },
    onLogin: (username) => noteLogin(username, 'loginSuccess'),
  })
}
