import { type CompiledWorkerOptions, type Logger, Worker } from '@temporalio/worker'

/** Milliseconds after which a workflow task, which takes a few, is logged: workflow code may never end. */
const LATE_MS = 5_000

/** The same function, which has a report made of each call that is not over in time. */
export const reportingLate =
  <Input extends unknown[], Result>(
    work: (...input: Input) => Promise<Result>,
    { ms, report }: { ms: number; report(): void },
  ) =>
  async (...input: Input): Promise<Result> => {
    const timer = setTimeout(report, ms)
    try {
      return await work(...input)
    } finally {
      clearTimeout(timer)
    }
  }

/**
 * Temporal's worker without the time limit of its sandbox. Node starts a thread for each call that has a limit, and
 * waits for its end: with a dozen calls in each workflow task, these were half of the time in the sandbox. Workflow
 * code is ours alone. Code that never ends would fail again and again with the limit; without, Temporal gives its task to
 * another worker after a timeout, and the log says which workflow it was.
 */
export class WorkflowWorker extends Worker {
  protected static override async createWorkflowCreator(
    bundle: Parameters<typeof Worker.createWorkflowCreator>[0],
    options: CompiledWorkerOptions,
    logger: Logger,
  ) {
    // The type has no word for none.
    const unlimited = { ...options, isolateExecutionTimeoutMs: undefined as unknown as number }
    const creator = await Worker.createWorkflowCreator(bundle, unlimited, logger)
    const createWorkflow = creator.createWorkflow.bind(creator)
    creator.createWorkflow = async (asked) => {
      const workflow = await createWorkflow(asked)
      const { workflowId, workflowType } = asked.info
      const report = (): void =>
        logger.error('a workflow task takes longer than 5 s: its code may never end', {
          workflowId,
          workflowType,
        })
      workflow.activate = reportingLate(workflow.activate.bind(workflow), { ms: LATE_MS, report })
      return workflow
    }
    return creator
  }
}
