import { CliError, EXIT, type ExitCode } from '../failures/index.js'
import { runEntity } from '../server/index.js'
import { type FollowOptions, followRun } from './follow-run.js'
import { runPath } from './get-run.js'
import type { Watch } from './watch-run.js'

export type RetryOptions = FollowOptions & {
  items?: boolean
  /** Positions of failed items, as typed. */
  item: readonly string[]
  node?: string
  current?: boolean
}

/** @throws CliError naming the option. */
const countOf = (option: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text))
    throw new CliError(EXIT.usage, `${option} ${text}: expected a whole number from 0`)
  return Number(text)
}

/** The failed items to retry; undefined: the run itself. */
const askedItems = ({ items, item, node }: RetryOptions): object | undefined => {
  if (node !== undefined && !items && item.length === 0)
    throw new CliError(EXIT.usage, '--node: is possible with --items or --item only')
  if (!items && item.length === 0) return undefined
  return {
    ...(node !== undefined && { node: countOf('--node', node) }),
    ...(item.length > 0 && { positions: item.map((text) => countOf('--item', text)) }),
  }
}

/**
 * Retries a failed run where it failed, or all or some of the failed items of its loops in a run of
 * their own, and follows it.
 *
 * @throws CliError for an option that is no position.
 */
export const retryRun = async (watch: Watch, id: string, options: RetryOptions): Promise<ExitCode> => {
  const definition = options.current ? '?definition=current' : ''
  const asked = askedItems(options)
  const path = `${runPath(id)}${asked ? '/items' : ''}/retry${definition}`
  const { workflowId, chainId, isOutdated } = await watch.server.read(runEntity, path, {
    method: 'POST',
    ...(asked && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) }),
  })
  if (isOutdated)
    watch.terminal.error(
      `${chainId}, or a chain that it calls, was deployed again since the run began; retry --current uses the latest`,
    )
  return followRun(watch, workflowId, options)
}
