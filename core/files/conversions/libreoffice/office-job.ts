import type { ExportFilters, ImportFilter } from './filters.js'

/** One document for LibreOffice to open and to write in another format. */
export type OfficeJob = {
  /** Absolute paths. */
  input: string
  output: string
  filters: ExportFilters
  importFilter?: ImportFilter | null
}
