/** One version of a contribution deployed at run time. */
export type ContributionVersion = {
  name: string
  /** From 1, without gaps; a deletion is a version too. */
  version: number
  /** The text as it was deployed. */
  source: string
  format: 'yaml' | 'xml' | 'json'
  /** The checked content. */
  content: unknown
  isDeleted: boolean
  author: string
  createdAt: Date
  /** See `ContributionStore`. */
  mark: string
}

export type NewContributionVersion = Pick<
  ContributionVersion,
  'name' | 'source' | 'format' | 'content' | 'isDeleted' | 'author'
>

/** The mark of an extension point that nothing was deployed to. */
export const NO_MARK = ''

/**
 * Where contributions deployed at run time are kept: every version of every name, for any number of processes.
 *
 * Each version has a mark, ordered like text and unique in its extension point. Marks become visible in their
 * order: who has read up to a mark will never find another version at or before it. So a reader keeps current
 * by asking what came after the last mark that it saw, and a writer proves with the mark up to which it has
 * read that what it decided upon still holds.
 */
export type ContributionStore = {
  newest(point: string, name: string): Promise<ContributionVersion | undefined>
  version(point: string, name: string, version: number): Promise<ContributionVersion | undefined>
  /** The newest version of each name that changed after the mark, deletions included, in order of their marks. */
  changedSince(point: string, mark: string): Promise<readonly ContributionVersion[]>
  /**
   * Adds the next version of a name, and tells every process that listens.
   *
   * @param basis the mark up to which the caller has read the extension point.
   * @returns undefined, with nothing written, when somebody else has added a version since.
   */
  append(
    point: string,
    basis: string,
    version: NewContributionVersion,
  ): Promise<ContributionVersion | undefined>
  /**
   * Calls back whenever a version was added by any process, and after a lost connection has come back.
   *
   * @returns what ends the listening.
   */
  listen(point: string, onChange: () => void): Promise<() => Promise<void>>
}
