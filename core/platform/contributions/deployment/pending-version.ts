import type { ContributionVersion } from './contribution-store.js'

/** A version that is not stored yet. */
export const pendingVersion = (
  version: Pick<ContributionVersion, 'point' | 'name' | 'content' | 'format'> & {
    text: string
    isDeleted?: boolean
  },
): ContributionVersion => ({
  point: version.point,
  name: version.name,
  content: version.content,
  format: version.format,
  source: version.text,
  isDeleted: version.isDeleted ?? false,
  version: 0,
  author: '',
  createdAt: new Date(0),
  mark: '',
})
