import { DOCUMENT, type Row, RUN, TX } from './row.fixture.js'

export const executionRows: readonly Row[] = [
  ['Context.SetVar', 'Set Context Variable', 'Execution Context', 'void>void', 'name:string* value:object'],
  [
    'Context.SetInputAsVar',
    'Set Context Variable From Input',
    'Execution Context',
    'void>void',
    'name:string*',
  ],
  [
    'Context.RestoreDocumentInput',
    'Restore Document Input',
    'Execution Context',
    'void>document',
    'name:string*',
  ],
  [
    'Context.RestoreDocumentsInput',
    'Restore Documents Input',
    'Execution Context',
    'void>documents',
    'name:string*',
  ],
  ['Context.RestoreBlobInput', 'Restore File Input', 'Execution Context', 'void>blob', 'name:string*'],
  ['Context.RestoreBlobsInput', 'Restore Files Input', 'Execution Context', 'void>bloblist', 'name:string*'],
  ['RunOperation Context.RunOperation', 'Run Chain', 'Execution Flow', 'void>void', RUN],
  [
    'RunDocumentOperation Context.RunDocumentOperation',
    'Run Document Chain',
    'Execution Flow',
    DOCUMENT,
    `${RUN} ${TX}`,
  ],
  [
    'RunFileOperation Context.RunFileOperation',
    'Run File Chain',
    'Execution Flow',
    'blob*>blob',
    `${RUN} ${TX}`,
  ],
  [
    'Context.RunDocumentOperationInNewTx RunInNewTransaction',
    'Run Document Chain in new Tx',
    'Execution Flow',
    'void>void',
    'id:string* isolate:boolean=false rollbackGlobalOnError:boolean=false parameters:properties timeout:integer=60',
  ],
  [
    'RunOperationOnList Context.RunOperationOnList',
    'Run For Each',
    'Execution Flow',
    'void>void',
    `id:string* list:string* item:string=item isolate:boolean=true parameters:properties ${TX}`,
  ],
  [
    'Context.RunOperationOnListInNewTx RunOperationOnListInNewTx',
    'Run For Each in new TX',
    'Execution Flow',
    'void>void',
    'id:string* list:string* item~itemName:string=item isolate:boolean=true parameters:properties rollbackGlobalOnError:boolean=true',
  ],
  [
    'RunOperationOnProvider Context.RunOperationOnProvider',
    'Run For Each Page',
    'Execution Flow',
    'documents>void',
    'id:string* isolate:boolean=true',
  ],
  [
    'Traces.ToggleRecording Traces.toggleRecording',
    'Traces.toggleRecording',
    'Execution Context',
    'void>boolean',
    'enableTrace:boolean',
  ],
  [
    'Traces.Get Traces.getTrace',
    'Traces.getTrace',
    'Execution Context',
    'void>string',
    'traceKey:string index:integer=-1',
  ],
  [
    'JsonStack.ToggleDisplay',
    'Json Error Stack Display',
    'Execution Context',
    'void>boolean',
    'enableTrace:boolean',
  ],
  ['Repository.SaveSession Document.SaveSession', 'Save Session', 'Execution Flow', 'void>void', ''],
  ...(
    [
      ['Document', 'document'],
      ['Documents', 'documents'],
      ['Blob', 'blob'],
      ['Blobs', 'bloblist'],
    ] as const
  ).map(
    ([name, type]): Row => [
      `Context.Restore${name}InputFromScript`,
      `Restore input ${name.toLowerCase()} from a script`,
      'Execution Context',
      `void>${type}`,
      'script:string*',
    ],
  ),
  ...(
    [
      ['Document', 'Document.{}', 'Document', 'document'],
      ['DocumentList', 'Document.{}List', 'Document List', 'documents'],
      ['Blob', 'Blob.{}', 'File', 'blob'],
      ['BlobList', 'Blob.{}List', 'File List', 'bloblist'],
    ] as const
  ).flatMap(([id, alias, label, type]) =>
    ['Push', 'Pop', 'Pull'].map(
      (verb): Row => [
        `Context.${verb}${id} ${alias.replace('{}', verb)}`,
        `${verb} ${label}`,
        'Push & Pop',
        `${verb === 'Push' ? type : 'void'}>${type}`,
        '',
      ],
    ),
  ),
]
