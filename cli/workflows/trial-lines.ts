import type { WorkflowTrialEntity } from '../server/index.js'
import { tableOf } from '../terminal/index.js'

type Entry = WorkflowTrialEntity['entries'][number]

const listed = (texts: readonly string[] | undefined): string => (texts ?? []).join(', ')

const WHAT: { readonly [kind: string]: (entry: Entry) => string } = {
  workflowStarted: () => 'workflow started',
  workflowEnded: ({ state }) => `workflow ended: ${state}`,
  nodeEntered: () => 'entered',
  nodeLeft: ({ transitions }) => `left${transitions?.length ? ` by ${listed(transitions)}` : ''}`,
  chainExecuted: ({ chain, transitions }) =>
    `chain ${chain}${transitions ? ` of transition ${listed(transitions)}` : ''}`,
  taskCreated: ({ actors, dueDate }) => `task for ${listed(actors)}, due ${dueDate}`,
  tasksCancelled: ({ actors }) => `task of ${listed(actors)} cancelled`,
  taskCompleted: ({ actor, button }) => `${actor} answers ${button}`,
  escalation: ({ rule, chain }) => `rule ${rule} runs chain ${chain}`,
  mail: ({ to, subject }) => `mail to ${listed(to)}: ${subject}`,
}

const textOf = (entry: Entry): string => {
  const { kind, node, error } = entry
  const what = WHAT[kind]?.(entry) ?? kind
  return `${node === undefined ? '' : `${node}: `}${what}${error === undefined ? '' : `, which fails: ${error}`}`
}

/** What happened in a trial, and how it stands at its end. */
export const trialLines = ({
  entries,
  state,
  endedAt,
  isComplete,
  openTasks,
  unusedAnswers,
}: WorkflowTrialEntity): string[] => [
  ...tableOf(entries.map((entry) => [entry.at, entry.workflowModelName, textOf(entry)])),
  ...openTasks.map(({ node, actors }) => `Open at ${endedAt}: ${node}, of ${listed(actors)}`),
  ...unusedAnswers.map(({ node, button }) => `Not used: the answer ${button} to ${node}`),
  ...(isComplete ? [] : [`Ended at ${endedAt}, since too much happened`]),
  ...(state === 'running' ? [`The workflow still runs at ${endedAt}`] : []),
]
