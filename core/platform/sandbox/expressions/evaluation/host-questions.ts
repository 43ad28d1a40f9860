import { type ArchivoltError, fail } from '../../../errors/index.js'
import type { ExpressionScope } from '../types.js'
import { type DocumentTable, decodeFromSandbox } from './marshal.js'
import { toInbound } from './names.js'
import type { Inbound } from './realm.js'

/** Each question starts the evaluation again, so the cost grows with the square of their number. */
const MAX_QUESTIONS = 100

type Answer = { value: unknown } | { error: unknown }

type Asked = { scope: ExpressionScope; table: DocumentTable }

/**
 * What one expression asks of the host. The sandbox of this thread cannot wait: a question without an answer
 * ends the evaluation, and the next one, which asks the same in the same order, gets the answer.
 */
export type Asks = {
  /** @throws when the answer is not there yet, or is an error. */
  answer(question: string, table: DocumentTable): Inbound
  /** Finds the answer to a question that is about to be asked, for a sandbox that waits. */
  find(question: string, asked: Asked): Promise<void>
  hasPending(): boolean
  /** Answers the question that was waiting. @throws badRequest when the host has no answers. */
  answerPending(asked: Asked): Promise<void>
  /** To be called before the expression is evaluated again. */
  rewind(): void
  /** For another expression that asks the same, e.g. a part of this one: its questions get no new answers. */
  again(): Asks
}

const notHere = (question: string): ArchivoltError => fail('badRequest', `${question} cannot be used here`)

const decoded = (json: string, table: DocumentTable): [string, ...unknown[]] =>
  decodeFromSandbox(json, table) as [string, ...unknown[]]

const openAsks = (answers: Map<string, Answer>, { isClosed }: { isClosed: boolean }): Asks => {
  let position = 0
  let pending: { key: string; json: string } | undefined
  // The same question may have another answer the second time: `Fn.getNextId`.
  const keyOf = (json: string): string => `${position} ${json}`
  const ask = async (
    { key, json }: { key: string; json: string },
    { scope, table }: Asked,
  ): Promise<void> => {
    const [question, ...args] = decoded(json, table)
    if (scope.ask === undefined) throw notHere(question)
    if (answers.size >= MAX_QUESTIONS)
      throw fail(
        'badRequest',
        `An expression asks more than ${MAX_QUESTIONS} questions, the last ${question}`,
      )
    const answer = await scope.ask(question, args).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    answers.set(key, answer)
  }
  return {
    answer(json, table) {
      const key = keyOf(json)
      const known = answers.get(key)
      position++
      if (known === undefined) {
        pending ??= { key, json }
        throw notHere(decoded(json, table)[0])
      }
      if ('error' in known) throw known.error
      return toInbound(known.value, table)
    },
    async find(json, asked) {
      const key = keyOf(json)
      if (!isClosed && !answers.has(key)) await ask({ key, json }, asked)
    },
    hasPending: () => pending !== undefined,
    answerPending: (asked) => ask(pending!, asked),
    rewind() {
      position = 0
      pending = undefined
    },
    again: () => openAsks(answers, { isClosed: true }),
  }
}

export const createAsks = (): Asks => openAsks(new Map(), { isClosed: false })
