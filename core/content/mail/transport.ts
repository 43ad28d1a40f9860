import { Readable } from 'node:stream'
import type { Transporter } from 'nodemailer'
import { type BlobStore, contentTypeOf } from '../../files/blobs/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import type { MailTransport } from './types.js'

/** Milliseconds that a mail server may be silent. */
const TIMEOUT_MS = 30_000

/**
 * Sends mail by SMTP.
 *
 * @param url `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte.
 * @param blobs where attached files are; they are read while they are sent.
 */
export const createSmtpTransport = (url: string, blobs: Pick<BlobStore, 'open'>): MailTransport => {
  // Loaded with the first mail: an API sends none.
  const open = async (): Promise<Transporter> =>
    (await import('nodemailer')).createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // The content of a mail is data: never a path or an address to read from.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  let smtp: Promise<Transporter> | undefined
  const attachment = async (blob: BlobValue) => ({
    filename: blob.name ?? 'file',
    contentType: contentTypeOf(blob),
    content: Readable.from(await blobs.open(blob)),
  })
  return {
    send: async ({ body, isHtml, attachments = [], ...mail }, { id }) => {
      const domain = /@([^\s@>]+)>?\s*$/.exec(mail.from)?.[1] ?? 'archivolt'
      smtp ??= open()
      await (await smtp).sendMail({
        ...mail,
        to: [...mail.to],
        cc: [...(mail.cc ?? [])],
        bcc: [...(mail.bcc ?? [])],
        replyTo: [...(mail.replyTo ?? [])],
        ...(isHtml ? { html: body } : { text: body }),
        attachments: await Promise.all(attachments.map(attachment)),
        messageId: `<${id}@${domain}>`,
      })
    },
  }
}
