import type { WorkflowTrialEntity } from '../server/index.js'
import { printableLine, tableOf } from '../terminal/index.js'

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

/** Lines alike that are shown before the others are counted alone: a rule may be executed every five minutes. */
const SHOWN_ALIKE = 10

type Row = { at: string; model: string; text: string }

/** The rows without those of which enough are shown, and what was left out. */
const bounded = (rows: readonly Row[]): { shown: Row[]; more: string[] } => {
  const counts = new Map<string, { row: Row; count: number }>()
  const shown = rows.filter((row) => {
    const key = JSON.stringify([row.model, row.text])
    const count = (counts.get(key)?.count ?? 0) + 1
    counts.set(key, { row, count })
    return count <= SHOWN_ALIKE
  })
  const more = [...counts.values()]
    .filter(({ count }) => count > SHOWN_ALIKE)
    .map(({ row, count }) => `${count - SHOWN_ALIKE} more until ${row.at}: ${row.model}  ${row.text}`)
  return { shown, more }
}

/** What happened in a trial, and how it stands at its end. */
export const trialLines = ({
  entries,
  state,
  endedAt,
  isComplete,
  openTasks,
  unusedAnswers,
}: WorkflowTrialEntity): string[] => {
  const rows = entries.map((entry) => ({
    at: entry.at,
    model: entry.workflowModelName,
    text: textOf(entry),
  }))
  const { shown, more } = bounded(rows)
  return [
    ...tableOf(shown.map(({ at, model, text }) => [at, model, text])),
    ...more.map(printableLine),
    ...openTasks.map(({ node, actors }) => `Open at ${endedAt}: ${node}, of ${listed(actors)}`),
    ...unusedAnswers.map(({ node, button }) => `Not used: the answer ${button} to ${node}`),
    ...(isComplete ? [] : [`Ended at ${endedAt}, since too much happened`]),
    ...(state === 'running' ? [`The workflow still runs at ${endedAt}`] : []),
  ]
}
