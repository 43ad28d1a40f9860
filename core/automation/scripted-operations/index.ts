export { openScripts, type TransactionScripts } from './place.js'
export { runScript } from './run-script.js'
export { createScriptTable, forgetRecords } from './script-values.js'
export { scriptedOperation } from './scripted-operation.js'
