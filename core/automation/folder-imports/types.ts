import type { Principal } from '../../access/security/index.js'

/** What `site/fileImporter/run` asks for (blobs-conversions.md §7). */
export type BulkImportRequest = {
  inputPath: string
  targetPath: string
  leafType: string
  folderishType: string
  hasContainer: boolean
  /** Entries of one transaction. */
  batchSize: number
}

/** Where a run stands: what is behind `after` is to be done. */
export type ImportCursor = {
  after: string | null
  /** Transactions so far: each has a receipt. */
  batch: number
  created: number
  updated: number
  unchanged: number
  failed: number
}

export const IMPORT_START: ImportCursor = {
  after: null,
  batch: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
}

/** What one activity has done. */
export type ImportPage = { cursor: ImportCursor; isDone: boolean; lines: string[] }

/** The imports of folders of the server, which are runs of Temporal: one at a time. */
export type FolderImports = {
  /** @returns false when one is under way. */
  start(request: BulkImportRequest, principal: Principal): Promise<boolean>
  isRunning(): Promise<boolean>
  /** Lines of the log of the last one, the oldest first. */
  log(): Promise<string[]>
  /** Whether the one that is under way logs what it does. @returns false without one. */
  setLogging(isActive: boolean): Promise<boolean>
  /** Stops the one that is under way between two of its transactions. @returns false without one. */
  kill(): Promise<boolean>
  /** Waits for the end of the last one, so many milliseconds at most. */
  settled(waitMs: number): Promise<void>
}
