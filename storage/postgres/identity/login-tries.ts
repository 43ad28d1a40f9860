import { and, eq, sql as expression } from 'drizzle-orm'
import type { LoginTries, Tries } from '../../../core/access/identity/index.js'
import { loginTries } from '../../../schema/identity.js'
import { type Sql, typed } from '../connection/index.js'

type Row = typeof loginTries.$inferSelect

const triesOf = ({ tries, nextAt, lastAt }: Row): Tries => ({
  tries,
  nextAt: nextAt.getTime(),
  lastAt: lastAt.getTime(),
})

/** Tries to log in, in the table `login_tries` of the main database. */
export const createLoginTries = (sql: Sql): LoginTries => {
  const db = typed(sql)
  const { client: CLIENT, tries: TRIES, nextAt: NEXT_AT } = loginTries
  /** The last change of each client that is under way here: those of other processes alone are lost races. */
  const turns = new Map<string, Promise<unknown>>()

  /** @returns false when another process has changed it since it was read. */
  const replace = async (
    client: string,
    known: Row | undefined,
    tries: Tries | undefined,
  ): Promise<boolean> => {
    const isKnown = known && and(eq(CLIENT, client), eq(TRIES, known.tries), eq(NEXT_AT, known.nextAt))
    if (tries === undefined)
      return (
        !isKnown || (await db.delete(loginTries).where(isKnown).returning({ client: CLIENT })).length === 1
      )
    const values = { tries: tries.tries, nextAt: new Date(tries.nextAt), lastAt: new Date(tries.lastAt) }
    const written = isKnown
      ? await db.update(loginTries).set(values).where(isKnown).returning({ client: CLIENT })
      : await db
          .insert(loginTries)
          .values({ client, ...values })
          .onConflictDoNothing()
          .returning({ client: CLIENT })
    return written.length === 1
  }

  const changeNow: LoginTries['change'] = async (client, change) => {
    for (;;) {
      const [known] = await db.select().from(loginTries).where(eq(CLIENT, client))
      const given = known && triesOf(known)
      const { tries, result } = change(given)
      if (tries === given) return result
      if (await replace(client, known, tries)) return result
    }
  }

  return {
    forget: async (prefix) => {
      await db.delete(loginTries).where(expression`starts_with(${CLIENT}, ${prefix})`)
    },
    change: async (client, change) => {
      const before = turns.get(client) ?? Promise.resolve()
      const turn = before.then(() => changeNow(client, change))
      const over = turn.catch(() => undefined)
      turns.set(client, over)
      try {
        return await turn
      } finally {
        if (turns.get(client) === over) turns.delete(client)
      }
    },
  }
}
