import { createSmtpTransport, type Delivered, deliverMail } from '../core/content/mail/index.js'
import { createMailStore } from '../storage/postgres/index.js'
import type { Platform } from './platform.js'

/** Sends the mail that waits in all repositories; none where no mail server is set: it waits for one. */
export const createMailDelivery = ({
  settings,
  databases,
  blobs,
  logger,
}: Pick<Platform, 'settings' | 'databases' | 'blobs' | 'logger'>): (() => Promise<Delivered>) => {
  const { mail } = settings
  if (!mail) return async () => ({ sent: 0, failed: 0, later: 0 })
  const transport = createSmtpTransport(mail.url, blobs)
  const stores = databases.map(({ sql }) => createMailStore(sql))
  return async () => {
    const delivered = await deliverMail({
      stores,
      transport,
      log: (level, message, fields) => logger[level](fields, message),
    })
    for (const store of stores) await store.removeOld()
    return delivered
  }
}
