import { MAIL_CHANNEL } from '../../storage/postgres/index.js'
import { type Listening, listenFor } from './listen.js'

/** Starts the delivery of mail as soon as a transaction has left some: see `listenFor`. */
export const startMailOnDemand = (listening: Listening): Promise<() => Promise<void>> =>
  listenFor(
    {
      workflow: 'mailDelivery',
      id: 'mail-delivery-now',
      channel: MAIL_CHANNEL,
      failure: 'the delivery of mail could not be started; its schedule will start it',
    },
    listening,
  )
