import { fail } from '../errors/index.js'
import type { ChainStep } from './chain.js'
import type { Execution } from './execution.js'
import type { Method } from './operation.js'
import type { Callable } from './registry.js'
import { VOID } from './values.js'

/** A step with what it names, and the signatures that it offers. */
export type TypedStep = { id: string; step: ChainStep; methods: readonly Method[]; callable: Callable }

/** A chain as a step: its steps decide what fits, so it takes anything and gives what they give. */
export const CHAIN_METHOD: Method = { input: 'object', output: 'object', run: async () => VOID }

/** @throws notFound for a step that names nothing. */
export const typedStep = ({ find }: Pick<Execution, 'find'>, step: ChainStep): TypedStep => {
  const callable = find(step.operation)
  if (!callable) throw fail('notFound', `No operation or chain '${step.operation}' is registered`)
  const methods = callable.kind === 'operation' ? callable.operation.methods : [CHAIN_METHOD]
  return { id: step.operation, step, methods, callable }
}
