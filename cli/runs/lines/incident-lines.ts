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

/** Whether its failure is one of a loop's items, which are listed by themselves. */
const isOfItem = (
  nodes: RunEntity['nodes'],
  { run, node, position, errorChain, failure }: RunEntity['incidents'][number],
): boolean => {
  const { failures = [], stopped } = nodes[node]?.loop ?? {}
  return (
    run === undefined &&
    errorChain === undefined &&
    [...failures, ...(stopped ? [stopped] : [])].some(
      (item) => item.position === position && item.message === failure?.message,
    )
  )
}

/**
 * The incidents of a run: failures after which it continued, and error chains that ran. Failed items of loops are left
 * out, as `failureLines` has them.
 */
export const incidentLines = ({ nodes, incidents, incidentCount }: RunEntity): string[] => [
  ...incidents
    .filter((incident) => !isOfItem(nodes, incident))
    .map((incident) => printableLine(`${placeText(incident)}: ${incidentText(incident)}`)),
  ...(incidentCount > incidents.length ? [`and ${incidentCount - incidents.length} more of these`] : []),
]
