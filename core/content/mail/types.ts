import type { Mail } from '../stores/index.js'

export type WaitingMail = { id: string; mail: Mail; attempts: number; createdAt: Date }

/** How an attempt to send a mail ended. */
export type MailOutcome =
  | { kind: 'sent' }
  /** To be tried again at a time. */
  | { kind: 'later'; error: string; at: Date }
  | { kind: 'failed'; error: string }

/** The mail that waits in one database. */
export type MailStore = {
  /**
   * Takes one that is due, for so long that no other process takes it meanwhile; undefined when none is.
   *
   * @param now by the clock of the outcomes of attempts.
   */
  takeDue(now: Date): Promise<WaitingMail | undefined>
  settle(id: string, outcome: MailOutcome): Promise<void>
  /** Removes mail that was sent or given up long ago. */
  removeOld(): Promise<void>
}

/** Hands a mail to the mail server. @throws what the server or the way to it fails with. */
export type MailTransport = {
  send(mail: Mail, options: { id: string; signal?: AbortSignal }): Promise<void>
}
