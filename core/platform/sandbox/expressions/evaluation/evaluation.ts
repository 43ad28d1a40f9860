import { UNBINDABLE } from '../language/unbindable.js'
import type { ExpressionScope } from '../types.js'
import type { Program } from './compile.js'
import { type Asks, createAsks } from './host-questions.js'
import { createDocumentTable, type DocumentTable, decodeFromSandbox } from './marshal.js'
import { answer, bindingOf } from './names.js'
import type { HostRequest, Inbound } from './realm.js'

/**
 * One expression until it has a value. It may be evaluated more than once: after a question that took time to
 * answer, and in a thread when it asks too much of this one. That changes nothing outside, because an expression
 * can only ask questions, each is answered once, and clock and random numbers are the same each time.
 */
export type Evaluation = {
  scope: ExpressionScope
  table: DocumentTable
  asks: Asks
  seed: number
  /** The error of the host: the sandbox does not see it. */
  hostError?: unknown
}

export const openEvaluation = (scope: ExpressionScope): Evaluation => ({
  scope,
  table: createDocumentTable(),
  asks: createAsks(),
  seed: Math.floor(Math.random() * 2 ** 31),
})

/** To be called before the expression is evaluated again. */
export const rewind = (evaluation: Evaluation): void => {
  evaluation.hostError = undefined
  evaluation.asks.rewind()
}

/** Answers the sandbox while it runs. @throws what the host fails with. */
export const answerRequest = (request: HostRequest, { scope, table, asks, seed }: Evaluation): Inbound => {
  switch (request.kind) {
    case 'ask':
      return asks.answer(request.name, table)
    case 'now':
      return scope.now.getTime()
    case 'seed':
      return seed
    default:
      return answer(request, { scope, table })
  }
}

/** The names of a program that its scope has, with the letters by which the sandbox wraps their values. */
export type Bound = { names: readonly string[]; kinds: string; values: readonly Inbound[] }

export const bind = ({ names }: Program, { scope, table }: Evaluation): Bound => {
  const found: string[] = []
  const values: Inbound[] = []
  let kinds = ''
  for (const name of names) {
    const binding = UNBINDABLE.has(name) ? undefined : bindingOf(name, scope, table)
    if (binding === undefined) continue
    found.push(name)
    values.push(binding.value)
    kinds += binding.kind
  }
  return { names: found, kinds, values }
}

/** The value that a text from the sandbox stands for: `s` a text itself, `n` a number, `j` JSON. */
export const readText = (text: string, table: DocumentTable): unknown => {
  const content = text.slice(1)
  if (text[0] === 's') return content
  return text[0] === 'n' ? Number(content) : decodeFromSandbox(content, table)
}
