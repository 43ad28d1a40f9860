import { type ArchivoltError, fail } from '../errors/index.js'
import { type DocumentTable, decodeFromSandbox } from './marshal.js'
import { toInbound } from './names.js'
import type { Inbound } from './realm.js'
import type { ExpressionScope } from './types.js'

/** Each question begins the evaluation again, so that their number squared counts. */
const MOST_QUESTIONS = 100

type Answer = { value: unknown } | { error: unknown }

/**
 * What one expression asks of the host. The sandbox cannot wait: a question that has no answer yet ends the
 * evaluation, and the next one, which asks the same in the same order, is given the answer.
 */
export type Asks = {
  /** @throws when the answer is not there yet, or is an error. */
  answer(question: string, table: DocumentTable): Inbound
  /** Whether a question was waiting; it is answered now. @throws badRequest when there is nobody to answer. */
  answerPending(scope: ExpressionScope, table: DocumentTable): Promise<boolean>
  /** To be called before the expression is evaluated again. */
  rewind(): void
  /** For another expression that asks the same, e.g. a part of this one: its questions find no new answers. */
  again(): Asks
}

const notHere = (question: string): ArchivoltError => fail('badRequest', `${question} cannot be used here`)

const decoded = (json: string, table: DocumentTable): [string, ...unknown[]] =>
  decodeFromSandbox(json, table) as [string, ...unknown[]]

export const createAsks = (answers: Map<string, Answer> = new Map()): Asks => {
  let position = 0
  let pending: { key: string; json: string } | undefined
  return {
    answer(json, table) {
      // The same question may have another answer the second time: `Fn.getNextId`.
      const key = `${position++} ${json}`
      const known = answers.get(key)
      if (known === undefined) {
        pending ??= { key, json }
        throw notHere(decoded(json, table)[0])
      }
      if ('error' in known) throw known.error
      return toInbound(known.value, table)
    },
    async answerPending(scope, table) {
      if (pending === undefined) return false
      const [question, ...args] = decoded(pending.json, table)
      if (scope.ask === undefined) throw notHere(question)
      if (answers.size >= MOST_QUESTIONS)
        throw fail(
          'badRequest',
          `An expression asks more than ${MOST_QUESTIONS} questions, the last ${question}`,
        )
      const answer = await scope.ask(question, args).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
      answers.set(pending.key, answer)
      return true
    },
    rewind() {
      position = 0
      pending = undefined
    },
    again: () => createAsks(answers),
  }
}
