import { UPKEEP_CHANNEL } from '../storage/postgres/index.js'
import { type Listening, startOnDemand } from './on-demand.js'

/** Starts the upkeep of access rights as soon as a change of rights has left something to do: see `startOnDemand`. */
export const startUpkeepOnDemand = (listening: Listening): Promise<() => Promise<void>> =>
  startOnDemand(
    {
      workflow: 'accessUpkeep',
      id: 'access-upkeep-now',
      channel: UPKEEP_CHANNEL,
      failure: 'the upkeep of access rights could not be started; its schedule will',
    },
    listening,
  )
