import type { DocumentRecord } from '../../../model/properties/index.js'

/** `0.0` when new, `1.0` when checked in, `1.0+` when changed since (workflow-audit.md §5). */
export const versionLabel = (
  document: Pick<DocumentRecord, 'majorVersion' | 'minorVersion' | 'isVersion' | 'isCheckedIn'>,
): string => {
  const number = `${document.majorVersion}.${document.minorVersion}`
  return document.isVersion || document.isCheckedIn || number === '0.0' ? number : `${number}+`
}
