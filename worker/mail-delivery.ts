import { MAIL_CHANNEL } from '../storage/postgres/index.js'
import { type Listening, startOnDemand } from './on-demand.js'

/** Starts the delivery of mail as soon as a transaction has left some: see `startOnDemand`. */
export const startMailOnDemand = (listening: Listening): Promise<() => Promise<void>> =>
  startOnDemand(
    {
      workflow: 'mailDelivery',
      id: 'mail-delivery-now',
      channel: MAIL_CHANNEL,
      failure: 'the delivery of mail could not be started; its schedule will',
    },
    listening,
  )
