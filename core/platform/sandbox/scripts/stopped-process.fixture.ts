import { createScriptEngine } from './engine.js'
import { operationProgram } from './program.js'

/** A process that runs one script, says when it has begun, and what it comes to. */
const engine = createScriptEngine({ limits: { timeMs: 2_000 }, threads: 1 })
const source = 'function run() { ctx.begun; let n = 0; for (let i = 0; i < 3e6; i++) n += i % 7; return n }'
const program = operationProgram('Script', source, { families: new Map(), flat: new Map() })
const said = await engine
  .openRunner('ann')
  .run({
    program,
    given: { names: {}, input: null, params: {}, now: 0 },
    answer: async () => {
      process.stdout.write('begun\n')
      return { value: null }
    },
    signal: new AbortController().signal,
  })
  .then(({ value }) => String(value), String)
process.stdout.write(`${said}\n`)
engine.close()
