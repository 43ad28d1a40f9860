import { fail } from '../../../platform/errors/index.js'

/** LibreOffice has one export filter for each pair of document kind and format. */
export type DocumentKind = 'text' | 'web' | 'sheet' | 'slides' | 'drawing'

/**
 * An export filter and its options, as LibreOffice names them. With `isPerSheet` it writes one sheet at a time, chosen by
 * `{sheet}` in the options; the results are put one after the other.
 */
export type ExportFilter = { filter: string; options?: string; isPerSheet?: boolean }

/** By kind of the document that was opened; a kind that is absent cannot be written in the format. */
export type ExportFilters = Partial<Record<DocumentKind, ExportFilter>>

export type OfficeFormat = { extension: string; filters: ExportFilters }

// Pictures inside the page, which is stored as one blob.
const htmlOptions = 'EmbedImages'

const openXml = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

const exportFormats: Record<string, OfficeFormat> = {
  'application/pdf': {
    extension: 'pdf',
    filters: {
      text: { filter: 'writer_pdf_Export' },
      web: { filter: 'writer_web_pdf_Export' },
      sheet: { filter: 'calc_pdf_Export' },
      slides: { filter: 'impress_pdf_Export' },
      drawing: { filter: 'draw_pdf_Export' },
    },
  },
  // The XHTML filter of slides and drawings leaves their text out, so they have none here.
  'text/html': {
    extension: 'html',
    filters: {
      text: { filter: 'HTML (StarWriter)', options: htmlOptions },
      web: { filter: 'HTML', options: htmlOptions },
      sheet: { filter: 'HTML (StarCalc)', options: htmlOptions },
    },
  },
  'text/plain': {
    extension: 'txt',
    filters: {
      // The last word: no byte order mark in front.
      text: { filter: 'Text (encoded)', options: 'UTF8,LF,,,false' },
      // Tabs, cells as they are shown.
      sheet: {
        filter: 'Text - txt - csv (StarCalc)',
        options: '9,34,76,1,,0,false,true,true,false,false,{sheet}',
        isPerSheet: true,
      },
    },
  },
  'text/csv': {
    extension: 'csv',
    filters: {
      sheet: { filter: 'Text - txt - csv (StarCalc)', options: '44,34,76,1,,0,false,true,true,false' },
    },
  },
  [`${openDocument}.text`]: { extension: 'odt', filters: { text: { filter: 'writer8' } } },
  [`${openDocument}.spreadsheet`]: { extension: 'ods', filters: { sheet: { filter: 'calc8' } } },
  [`${openDocument}.presentation`]: { extension: 'odp', filters: { slides: { filter: 'impress8' } } },
  [`${openXml}.wordprocessingml.document`]: {
    extension: 'docx',
    filters: { text: { filter: 'MS Word 2007 XML' } },
  },
  [`${openXml}.spreadsheetml.sheet`]: {
    extension: 'xlsx',
    filters: { sheet: { filter: 'Calc MS Excel 2007 XML' } },
  },
  [`${openXml}.presentationml.presentation`]: {
    extension: 'pptx',
    filters: { slides: { filter: 'Impress MS PowerPoint 2007 XML' } },
  },
}

/** How LibreOffice writes a mime type. Fails with `unsupportedMediaType` when it does not. */
export const exportFormatOf = (mimeType: string | undefined): OfficeFormat => {
  const format = exportFormats[mimeType ?? '']
  if (!format) throw fail('unsupportedMediaType', `LibreOffice does not write ${mimeType}`)
  return format
}

/** `extension` and filter for formats that LibreOffice does not detect from the bytes. */
export type ImportFilter = { filter: string; options: string }

const importFilters: Record<string, ImportFilter> = {
  'text/plain': { filter: 'Text (encoded)', options: 'UTF8,LF,,,' },
  // Comma, double quote, UTF-8, from the first line on.
  'text/csv': { filter: 'Text - txt - csv (StarCalc)', options: '44,34,76,1' },
  'text/tab-separated-values': { filter: 'Text - txt - csv (StarCalc)', options: '9,34,76,1' },
  // As a text document: the Web variant of Writer crashes when it writes plain text.
  'text/html': { filter: 'HTML (StarWriter)', options: '' },
}

/** Null when LibreOffice is to detect the format from the bytes. Other texts than the known ones are plain. */
export const importFilterOf = (mimeType: string): ImportFilter | null =>
  importFilters[mimeType] ??
  (mimeType.startsWith('text/') && mimeType !== 'text/rtf' ? importFilters['text/plain']! : null)
