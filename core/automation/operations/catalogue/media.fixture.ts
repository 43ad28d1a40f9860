import type { Row } from './row.fixture.js'

const COMPARED = 'commandLine:string parameters:properties targetFileName:string targetFileNameSuffix:string'

export const mediaRows: readonly Row[] = [
  [
    'Picture.Resize Picture.resize',
    'Resize a picture',
    'Conversion',
    'document>blob blob>blob',
    'maxWidth:integer*=0 maxHeight:integer*=0',
  ],
  ['Picture.GetView Picture.getView', 'Get image view', 'Conversion', 'document>blob', 'viewName:string'],
  [
    'Picture.Create',
    'Create Picture',
    'Document',
    'document*>document',
    'name:string properties:properties pictureTemplates:properties',
  ],
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
