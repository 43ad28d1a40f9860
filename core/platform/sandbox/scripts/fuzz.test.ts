import { afterAll, expect, test } from 'vitest'
import { testSeed } from '../../../../test/support/random.js'
import { sized } from '../../../../test/support/size.js'
import { isArchivoltError } from '../../errors/index.js'
import { randomSources } from '../expressions/random-source.fixture.js'
import { createScriptEngine, type ScriptAnswer } from './engine.js'
import { operationProgram, type ScriptNames, statementsProgram } from './program.js'

const SCRIPTS = sized({ full: 60_000, sample: 4_000 })
const SEED = testSeed()

const engine = createScriptEngine({ limits: { timeMs: 300, calls: 100 }, threads: 3 })
afterAll(() => engine.close())

const names: ScriptNames = {
  families: new Map([['Document', [['Create', 'Document.Create']]]]),
  flat: new Map([['RunOperation', 'RunOperation']]),
}
const { signal } = new AbortController()
const document = { '\u0000t': 'document', v: 0 }
const answer = async ({ question }: { question: string }): Promise<ScriptAnswer> => ({
  value:
    question === 'facts'
      ? [[0, { core: { id: 'd' }, rest: '{"more":{},"properties":{"dc:title":"T"}}' }]]
      : null,
})

test(`${SCRIPTS} random scripts of seed ${SEED} end in a value or in an error of their own`, async () => {
  const { expression, statement, pick } = randomSources(SEED)
  const strange: string[] = []
  const run = async (): Promise<void> => {
    const statements = [statement(), statement(), statement()].join('\n')
    const source = pick([`function run(input, params) { ${statements} }`, statements, expression()])
    const isOperation = source.includes('run')
    try {
      const program = isOperation
        ? operationProgram('Script', source, names)
        : statementsProgram('Script', source)
      const given = { names: { Document: document, x: 1 }, input: document, params: {}, now: 0 }
      await engine.openRunner(pick(['ann', 'bob'])).run({ program, given, answer, signal })
    } catch (error) {
      const isOwn = isArchivoltError(error) && ['badRequest', 'operationFailed'].includes(error.code)
      if (!isOwn) strange.push(`${source} => ${error}`)
    }
  }
  let left = SCRIPTS
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (left-- > 0) await run()
    }),
  )
  expect(strange.slice(0, 5)).toEqual([])
}, 900_000)
