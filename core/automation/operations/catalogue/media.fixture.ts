import type { Row } from './row.fixture.js'

const COMPARED = 'commandLine:string parameters:properties targetFileName:string targetFileNameSuffix:string'

const FILES = 'document>blob blob>blob bloblist>bloblist'

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
  [
    'Image.Blob.Resize',
    'Resize a picture',
    'Conversion',
    FILES,
    'width:integer height:integer depth:integer conversionFormat:string',
  ],
  [
    'Image.Blob.Crop',
    'Crop a picture',
    'Conversion',
    FILES,
    'x:integer=0 y:integer=0 width:integer* height:integer* conversionFormat:string',
  ],
  ['Image.Blob.Rotate', 'Rotate a picture', 'Conversion', FILES, 'angle:integer* conversionFormat:string'],
  ['Image.Blob.Convert', 'Convert a picture', 'Conversion', FILES, 'conversionFormat:string*'],
  [
    'Image.Blob.Watermark',
    'Watermark a picture',
    'Conversion',
    FILES,
    'watermark:string* gravity:string=southeast opacity:integer=50 color:string=white conversionFormat:string',
  ],
  ['Image.Blob.ConvertToPDF', 'Convert a picture to PDF', 'Conversion', FILES, ''],
  [
    'Picture.RecomputeViews',
    'Recompute Picture Views',
    'Services',
    'void>object document*>document',
    'query:string',
  ],
  [
    'Video.Slice',
    'SliceVideo',
    'Conversion',
    'blob>blob',
    'startAt:string* duration:string* encode:boolean=true',
  ],
  ['Video.SliceInParts', 'SliceVideoInParts', 'Conversion', 'blob>bloblist', 'duration:string*'],
  ['Video.Concat', 'ConcatVideos', 'Conversion', 'bloblist>blob', ''],
  [
    'Video.AddWatermark',
    'Watermarks a Video with a Picture',
    'Conversion',
    'blob>blob',
    'watermark:blob* x:string=0 y:string=0',
  ],
  [
    'Blob.ReadMetadata Binary.ReadMetadata',
    'Read Metadata From Binary',
    'Files',
    'blob>object',
    'ignorePrefix:boolean=true',
  ],
  [
    'Blob.SetMetadataFromContext Binary.WriteMetadataFromContext',
    'Write Metadata To Binary From Context',
    'Files',
    'blob>blob',
    'ignorePrefix:boolean=true processor:string=exifTool metadata:properties*',
  ],
  [
    'Blob.SetMetadataFromDocument Binary.WriteMetadataFromDocument',
    'Write Metadata To Binary From Document',
    'Files',
    'document>document',
    'ignorePrefix:boolean=true processor:string=exifTool metadata:properties* blobXPath:string=file:content save:boolean=true',
  ],
]
