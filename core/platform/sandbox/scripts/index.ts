export {
  createScriptEngine,
  type ScriptAnswer,
  type ScriptCall,
  type ScriptChange,
  type ScriptEngine,
  type ScriptRun,
  type ScriptRunner,
} from './engine.js'
export { openExpressionThreads } from './expression-threads.js'
export { defaultScriptLimits, overLimit, type ScriptLimits } from './limits.js'
export { isNameOfScripts, operationProgram, type ScriptNames, statementsProgram } from './program.js'
export type { Program } from './protocol.js'
