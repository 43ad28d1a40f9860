import { randomUUID } from 'node:crypto'
import type { ChainExecution } from '../../core/automation/language/index.js'
import { digest } from '../idempotency/index.js'

type RunIdentity = {
  chainId: string
  execution: ChainExecution
  /** Whose key it is. */
  principal: string
  idempotencyKey?: string | undefined
}

const INLINE = /-inline-(key-[0-9a-f]{32}|[0-9a-f-]{36})$/

/** Run ids are read by operators, and sent in a header: the chain's id first, then what makes it unique. */
export const newRunId = ({ chainId, execution, principal, idempotencyKey }: RunIdentity): string => {
  const chain = chainId.replace(/[^\x20-\x7e]|\//g, '_')
  const name = execution === 'inline' ? `${chain}-inline` : chain
  if (idempotencyKey === undefined) return `${name}-${randomUUID()}`
  return `${name}-key-${digest([principal, idempotencyKey]).slice(0, 32)}`
}

/** Whether a run's id may be that of an inline run; a chain's own name may end like one. */
export const mayBeInline = (runId: string): boolean => INLINE.test(runId)
