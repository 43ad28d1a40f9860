import type { ErrorDetail } from '../../errors/index.js'
import { MAX_FINDINGS } from '../limits.js'

/** 1-based. */
export type Place = { line: number; column: number }

/** Takes note of a problem; reading goes on, so that one answer has all of them. */
export type Report = (field: string, at: Place | undefined, message: string) => void

/** A report and the list that it fills. */
export const createReport = (): { report: Report; problems: ErrorDetail[] } => {
  const problems: ErrorDetail[] = []
  const report: Report = (field, at, message) => {
    if (problems.length < MAX_FINDINGS) problems.push({ ...at, ...(field === '' ? {} : { field }), message })
  }
  return { report, problems }
}
