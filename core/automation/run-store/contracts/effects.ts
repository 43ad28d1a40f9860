/** An event of a transaction, and its document as it is by then; a document that is gone has no path. */
export type EffectEvent = {
  event: string
  documentId: string | null
  path: string | null
  type: string | null
}

/** What a transaction has done, as far as others would see it. */
export type Effects = {
  /** In order; the first `MAX_EFFECTS`. */
  events: readonly EffectEvent[]
  eventCount: number
  /** Mails that would be sent after the commit, to all who would receive them; the first `MAX_EFFECTS`. */
  mails: readonly { to: readonly string[]; subject: string }[]
  mailCount: number
}

export const MAX_EFFECTS = 1000
