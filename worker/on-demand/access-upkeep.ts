import { UPKEEP_CHANNEL } from '../../storage/postgres/index.js'
import { type Listening, listenFor } from './listen.js'

/** Starts the upkeep of access rights as soon as a change of rights has left something to do: see `listenFor`. */
export const startUpkeepOnDemand = (listening: Listening): Promise<() => Promise<void>> =>
  listenFor(
    {
      workflow: 'accessUpkeep',
      id: 'access-upkeep-now',
      channel: UPKEEP_CHANNEL,
      failure: 'the upkeep of access rights could not be started; its schedule will start it',
    },
    listening,
  )
