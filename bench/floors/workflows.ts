import {
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow'
import type { BareActivities } from './worker.js'

const { insert, begin, finish } = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '1 minute' })

/** The least that a durable call can be: one local activity. */
export async function bare(name: string): Promise<string> {
  return insert(name)
}

const move = defineUpdate<string, ['begin' | 'finish', string]>('move')

/** The least that a workflow with a task can be: an Update with a transaction begins it, another one ends it. */
export async function held(): Promise<void> {
  let isOver = false
  setHandler(move, async (kind, id) => {
    if (kind === 'begin') return begin(id)
    await finish(id)
    isOver = true
    return id
  })
  await condition(() => isOver)
  await condition(allHandlersFinished)
}
