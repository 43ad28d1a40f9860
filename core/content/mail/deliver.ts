import type { MailOutcome, MailStore, MailTransport, WaitingMail } from './types.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LONGEST_PAUSE = 4 * HOUR
/** How long delivery is retried: as long as mail servers do (RFC 5321, 4.5.4.1). */
const PERSEVERANCE = 4 * 24 * HOUR

/** Whether a server has refused for good (RFC 5321, 4.2.1), so that a retry would only repeat it. */
const isRefused = (error: unknown): boolean => {
  const code = (error as { responseCode?: unknown } | undefined)?.responseCode
  return typeof code === 'number' && code >= 500 && code !== 530 && code !== 535
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The state of a mail after a failed attempt: retried after longer and longer pauses, then given up. */
export const afterFailure = (
  error: unknown,
  { attempts, createdAt }: Pick<WaitingMail, 'attempts' | 'createdAt'>,
  now: Date,
): MailOutcome => {
  const message = messageOf(error)
  if (isRefused(error) || now.getTime() - createdAt.getTime() > PERSEVERANCE)
    return { kind: 'failed', error: message }
  const pause = Math.min(MINUTE * 2 ** (attempts - 1), LONGEST_PAUSE)
  return { kind: 'later', error: message, at: new Date(now.getTime() + pause) }
}

export type Delivered = { sent: number; failed: number; later: number }

/**
 * Sends all mail that is due, one by one. A mail is claimed before it is sent and marked afterwards: if a process dies
 * between the two it is sent again, under the same Message-ID, rather than lost.
 */
export const deliverMail = async ({
  stores,
  transport,
  log,
  signal,
}: {
  stores: readonly MailStore[]
  transport: MailTransport
  log(level: 'warn' | 'error', message: string, fields: Record<string, unknown>): void
  signal?: AbortSignal
}): Promise<Delivered> => {
  const delivered: Delivered = { sent: 0, failed: 0, later: 0 }
  for (const store of stores) {
    for (;;) {
      if (signal?.aborted) return delivered
      const waiting = await store.takeDue(new Date())
      if (!waiting) break
      const outcome = await attempt(transport, waiting)
      await store.settle(waiting.id, outcome)
      delivered[outcome.kind]++
      if (outcome.kind !== 'sent')
        log(outcome.kind === 'failed' ? 'error' : 'warn', 'a mail could not be sent', {
          mail: waiting.id,
          attempts: waiting.attempts,
          error: outcome.error,
          isGivenUp: outcome.kind === 'failed',
        })
    }
  }
  return delivered
}

const attempt = async (transport: MailTransport, waiting: WaitingMail): Promise<MailOutcome> => {
  try {
    await transport.send(waiting.mail, { id: waiting.id })
    return { kind: 'sent' }
  } catch (error) {
    return afterFailure(error, waiting, new Date())
  }
}
