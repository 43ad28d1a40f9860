import type { RouteNote } from '../../language/index.js'
import type { RouteModel, Variables } from '../model/index.js'

/** What somebody does with a task of a trial. */
export type TrialAnswer = {
  node: string
  /** User name; absent: the first user to whom the task is given. */
  actor?: string | undefined
  /** Since the task was created: an ISO 8601 period, such as `P3D` or `PT12H`. */
  after: string
  button: string
  comment?: string | undefined
  variables?: Variables | undefined
  /** How many tasks are answered so; 1. */
  times?: number | undefined
}

/** What is tried. */
export type RouteTrial = {
  modelId: string
  /** A model that is not deployed; absent: the one of that name. */
  model?: RouteModel | undefined
  /** Ids or paths. */
  documentIds: readonly string[]
  variables: Variables
  answers: readonly TrialAnswer[]
  startedAt: Date
  /** The clock is turned no further. */
  until: Date
}

/** What happens at a moment of a trial. */
export type TrialEntry = Omit<RouteNote, 'kind'> & {
  kind: RouteNote['kind'] | 'taskCompleted' | 'escalation' | 'mail'
  /** ISO 8601. */
  at: string
  actor?: string
  button?: string
  rule?: string
  to?: readonly string[]
  subject?: string
  /** What it has failed with: nothing of it was kept. */
  error?: string
}

/** A task that nobody has ended. Dates are ISO 8601. */
export type TrialTask = {
  workflowModelName: string
  node: string
  actors: string[]
  created: string | null
  dueDate: string | null
}

/** What has happened in a trial, and how it stands at its end. */
export type TrialResult = {
  state: string
  /** Of the workflow. */
  variables: Variables
  entries: TrialEntry[]
  openTasks: TrialTask[]
  /** Answers to tasks that have not come. */
  unusedAnswers: TrialAnswer[]
  /** Variables and buttons that the model does not have. */
  warnings: string[]
  /** ISO 8601: where the clock stands. */
  endedAt: string
  /** False: it was ended because too much happened. */
  isComplete: boolean
}
