import { addPeriod } from '../../../model/nxql/index.js'
import { fail } from '../../../platform/errors/index.js'
import { bareActor, isAmong, type Task } from '../tasks/index.js'
import type { Principals } from './principals.js'
import type { TrialAnswer } from './types.js'

/** An answer that is given to a task at a moment, ms since 1970. */
export type PlannedAnswer = {
  taskId: string
  routeId: string
  at: number
  actor: string
  answer: TrialAnswer
}

const momentOf = (created: string | null, { after, node }: TrialAnswer): number => {
  const at = addPeriod(new Date(created ?? 0), after)
  if (at === undefined || at < Date.parse(created ?? ''))
    throw fail('badRequest', `answers: "${after}" of node ${node} is no period such as P3D or PT12H`)
  return at
}

/** Who answers for a task without being named: the first of its actors that is a user, else who has started the workflow. */
const firstUser = async ({ actors, initiator }: Task, principals: Principals): Promise<string> => {
  for (const name of actors.map(bareActor)) if (await principals.find(name)) return name
  return initiator
}

/** Gives answers to tasks as they come: each takes the first that is left for its node and its actors. */
export const createAnswers = (answers: readonly TrialAnswer[], principals: Principals) => {
  const left = answers.map((answer) => ({ answer, times: answer.times ?? 1 }))
  const known = new Set<string>()
  let planned: PlannedAnswer[] = []

  const isFor = async ({ node, actor }: TrialAnswer, task: Task): Promise<boolean> => {
    if (node !== task.node) return false
    if (actor === undefined) return true
    return isAmong(await principals.get(actor), [...task.actors, ...task.delegatedActors])
  }

  const plan = async (task: Task): Promise<void> => {
    known.add(task.id)
    for (const each of left) {
      if (each.times === 0 || !(await isFor(each.answer, task))) continue
      each.times--
      const { answer } = each
      const actor = answer.actor ?? (await firstUser(task, principals))
      planned.push({
        taskId: task.id,
        routeId: task.routeId,
        at: momentOf(task.created, answer),
        actor,
        answer,
      })
      return
    }
  }

  return {
    /** Plans answers to tasks that have not been seen, and forgets those to tasks that are not open any more. */
    see: async (open: readonly Task[]): Promise<void> => {
      const ids = new Set(open.map(({ id }) => id))
      planned = planned.filter(({ taskId }) => ids.has(taskId))
      for (const task of open) if (!known.has(task.id)) await plan(task)
    },
    next: (): PlannedAnswer | undefined =>
      planned.reduce<PlannedAnswer | undefined>(
        (first, each) => (first === undefined || each.at < first.at ? each : first),
        undefined,
      ),
    take: (answer: PlannedAnswer): void => {
      planned = planned.filter((each) => each !== answer)
    },
    unused: (): TrialAnswer[] =>
      left.flatMap(({ answer, times }) => (times > 0 ? [{ ...answer, times }] : [])),
  }
}

export type Answers = ReturnType<typeof createAnswers>
