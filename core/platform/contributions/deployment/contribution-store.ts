export type ContributionFormat = 'yaml' | 'xml' | 'json'

/** One version of a contribution deployed at run time. */
export type ContributionVersion = {
  /** The extension point. */
  point: string
  name: string
  /** From 1, without gaps; a deletion is a version too. */
  version: number
  /** The text as it was deployed. */
  source: string
  format: ContributionFormat
  /** The checked content. */
  content: unknown
  isDeleted: boolean
  author: string
  createdAt: Date
  /** See `ContributionStore`. */
  mark: string
}

export type NewContributionVersion = Omit<ContributionVersion, 'version' | 'createdAt' | 'mark'>

/** The mark before the first deployment. */
export const NO_MARK = ''

/**
 * The store of contributions deployed at run time: every version of every name, for any number of processes.
 *
 * Each version has a mark, unique and ordered like text over all extension points. Marks become visible in
 * their order: a reader who has read up to a mark never finds another version at or before it. So a reader stays
 * current by asking for versions after its last mark, and a writer proves with the mark up to which
 * it has read that its decision still holds, whichever points that decision looked at.
 */
export type ContributionStore = {
  newest(point: string, name: string): Promise<ContributionVersion | undefined>
  version(point: string, name: string, version: number): Promise<ContributionVersion | undefined>
  /** All versions of a name, deletions included, newest first. */
  versions(point: string, name: string): Promise<readonly ContributionVersion[]>
  /** The first version of a name with this very text; undefined when there is none. */
  firstOfText(
    text: Pick<ContributionVersion, 'point' | 'name' | 'format' | 'source'>,
  ): Promise<number | undefined>
  /** The newest version of each contribution that changed after the mark, deletions included, in order of marks. */
  changedSince(mark: string): Promise<readonly ContributionVersion[]>
  /**
   * Adds the next version of each name, all or none, and notifies every process that listens.
   *
   * @param basis the mark up to which the caller has read.
   * @returns undefined, with nothing written, when somebody else has added a version since.
   */
  append(
    basis: string,
    versions: readonly NewContributionVersion[],
  ): Promise<readonly ContributionVersion[] | undefined>
  /**
   * Calls back whenever a version was added by any process, and after a lost connection has come back.
   *
   * @returns what ends the listening.
   */
  listen(onChange: () => void): Promise<() => Promise<void>>
}
