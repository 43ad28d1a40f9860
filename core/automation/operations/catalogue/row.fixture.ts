/** A row of reference: automation.md §11: id and aliases, label, category, signature, parameters. */
export type Row = readonly [string, string, string, string, string]

export const RUN = 'id:string* isolate:boolean=false parameters:properties'
export const TX = 'newTx:boolean=false timeout:integer=60 rollbackGlobalOnError:boolean=true'
export const DOCUMENT = 'document*>document'
export const SAVE = 'save:boolean=true'
export const FILE = 'xpath:string=file:content'
