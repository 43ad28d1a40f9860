import type { BlobValue } from '../../model/properties/index.js'

/** A mail as it waits to be sent. Addresses are as mail writes them: `ann@example.com` or `Ann <ann@example.com>`. */
export type Mail = {
  from: string
  to: readonly string[]
  cc?: readonly string[]
  bcc?: readonly string[]
  replyTo?: readonly string[]
  subject: string
  body: string
  isHtml: boolean
  attachments?: readonly BlobValue[]
}

/** Where a mail waits for the end of the transaction that asks for it. */
export type MailQueue = {
  /** Keeps a mail in the session's transaction; it is sent once that has committed. */
  enqueue(mail: Mail): Promise<void>
}
