import {
  ContinueAsNew,
  isCancellation,
  proxySinks,
  type Sinks,
  type WorkflowInterceptorsFactory,
  workflowInfo,
} from '@temporalio/workflow'

/** How a run has ended, as its worker is to count it. */
export type RunOutcome = { chain: string; outcome: 'completed' | 'failed' | 'cancelled' }

export type OutcomeSinks = Sinks & { outcomes: { ended(run: RunOutcome): void } }

const { outcomes } = proxySinks<OutcomeSinks>()

const report = (outcome: RunOutcome['outcome']): void => {
  const chain = workflowInfo().searchAttributes.ChainId?.[0]
  outcomes.ended({ chain: typeof chain === 'string' ? chain : '', outcome })
}

/** Reports the end of each run. A sink is no command: histories know nothing of it. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      execute: async (input, next) => {
        let result: unknown
        try {
          result = await next(input)
        } catch (error) {
          if (!(error instanceof ContinueAsNew)) report(isCancellation(error) ? 'cancelled' : 'failed')
          throw error
        }
        report('completed')
        return result
      },
    },
  ],
})
