import type { Row } from './row.fixture.js'

export const scriptingRows: readonly Row[] = [
  ['RunScript Context.RunScript', 'Run Script', 'Scripting', 'void>void', 'script:string*'],
  ['RunScriptFile Context.RunScriptFile', 'Run Script File', 'Scripting', 'void>void', 'script:resource*'],
  ['RunInputScript Context.RunInputScript', 'Run Input Script', 'Scripting', 'blob>blob', 'type:string=mvel'],
]
