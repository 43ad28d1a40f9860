import type { Row } from './row.fixture.js'

const COMPARED = 'commandLine:string parameters:properties targetFileName:string targetFileNameSuffix:string'

export const mediaRows: readonly Row[] = [
  [
    'Pictures.DiffWithBlobs',
    'Pictures: Diff with Blobs',
    'Conversion',
    'blob>blob',
    `blob2VarName:string* ${COMPARED}`,
  ],
  [
    'Pictures.DiffWithDocs',
    'Pictures: Diff with Documents',
    'Conversion',
    'void>blob',
    `leftDoc:document* rightDoc:document* xpath:string=file:content ${COMPARED}`,
  ],
]
