import { type ExpressionThreads, THREAD_PRELUDE } from '../expressions/index.js'
import { createScriptThreads } from './threads.js'

type ThreadLimits = Parameters<typeof createScriptThreads>[0]['kind']['limits']

/** Few chains need any: an expression that takes milliseconds is rare. */
const MAX_THREADS = 2

/**
 * Threads for expressions that take too long, or receive too much, for the thread that serves everybody. They start
 * when they are needed, and end after a limit as those of scripts do.
 */
export const openExpressionThreads = (limits: ThreadLimits): ExpressionThreads => {
  const threads = createScriptThreads({
    kind: { prelude: THREAD_PRELUDE, limits, env: {} },
    most: MAX_THREADS,
    exhausted: 'All threads for long expressions are in use; try again later',
  })
  return {
    async evaluate({ program, args, owner, answer }) {
      const thread = await threads.take(owner, new AbortController().signal)
      thread.answer = ({ question, payload }) => answer(question, payload)
      try {
        const { json, failure } = await thread.run(program, args)
        return { ...(json !== undefined && { text: json }), ...(failure && { failure }) }
      } finally {
        threads.giveBack(thread)
      }
    },
    close: threads.close,
  }
}
