import type { Incident, RunEntity } from '../../server/index.js'
import { printableLine } from '../../terminal/index.js'

type Failure = { status: number; message: string }

const failureText = ({ status, message }: Failure): string => `${message} (${status})`

const placeText = ({ run, node, position }: RunEntity['incidents'][number]): string =>
  [
    ...(run === undefined ? [] : [run]),
    `node ${node}`,
    ...(position === undefined ? [] : [`item ${position}`]),
  ].join(' ')

const passedOver = ({ operation, target, input = {}, failure }: Incident): string => {
  const on = input.path ?? input.documentId ?? input.name
  return `${operation} ${target} ${on ? `skipped ${on}` : 'continued'} after failure: ${failure ? failureText(failure) : ''}`
}

const errorChain = ({ errorChain: id, chain, after, failure }: Incident): string =>
  [
    `error chain ${id}${chain === undefined ? '' : ` of ${chain}`} ran`,
    ...(after ? [` after: ${failureText(after)}`] : []),
    ...(failure ? [`; it failed itself: ${failureText(failure)}`] : []),
  ].join('')

/** A failure that did not end the run. */
export const incidentText = (incident: Incident): string =>
  incident.errorChain === undefined ? passedOver(incident) : errorChain(incident)

/** The incidents of a run: failures after which it continued, and error chains that ran. */
export const incidentLines = ({ incidents, incidentCount }: RunEntity): string[] => [
  ...incidents.map((incident) => printableLine(`${placeText(incident)}: ${incidentText(incident)}`)),
  ...(incidentCount > incidents.length ? [`and ${incidentCount - incidents.length} more of these`] : []),
]
