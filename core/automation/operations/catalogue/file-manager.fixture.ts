import type { Row } from './row.fixture.js'

const IMPORT = 'blob>document bloblist>documents'

export const fileManagerRows: readonly Row[] = [
  ['FileManager.Import', 'Create Document from file', 'Services', IMPORT, 'overwite~overwrite:boolean=false'],
  [
    'FileManager.ImportWithProperties',
    'Create Document from file',
    'Services',
    IMPORT,
    'overwrite:boolean=false mimeTypeCheck:boolean=true properties:properties*',
  ],
  [
    'UserWorkspace.CreateDocumentFromBlob',
    "Create Document from file in User's workspace",
    'Services',
    IMPORT,
    '',
  ],
  [
    'FileManager.CreateFolder',
    'Create Folder',
    'Services',
    'document>document',
    'title:string* overwrite:boolean=false properties:properties',
  ],
  ['GetRepositories', 'List repository names on the server', 'Services', 'void>object', ''],
]
