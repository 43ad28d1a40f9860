import type { ErrorDetail } from '../../errors/index.js'
import type { ContributionFormat } from './contribution-store.js'
import type { Deployed } from './feed.js'

export type ContributionText = { name: string; text: string; format: ContributionFormat }

/** A contribution in one of its versions. Version 0 is that of the configuration. */
export type DeployedVersion<Content = unknown> = {
  point: string
  name: string
  content: Content
  version: number
  source: string
  format: ContributionFormat
  /** A deletion, met in lists of versions alone. */
  isDeleted: boolean
  /** Absent for contributions of the configuration. */
  author?: string
  createdAt?: Date
}

/**
 * What deploying to one extension point means. Each decision is taken on one state of what is deployed, and
 * taken again when that state has moved.
 */
export type PointHandler<Content = unknown> = {
  point: string
  /** The wire's name of one of its contributions; with an `s` that of a list, with `Plan` that of a dry run. */
  entityType: string
  /** What messages call one of its contributions, in lower case: `chain`. */
  noun: string
  /** What a text may be written in; the first is preferred. */
  formats: readonly ContributionFormat[]
  /** Why a text cannot be a name, e.g. `is reserved`; undefined when it can. */
  refusalOfName(name: string): string | undefined
  /** What the configuration's files contribute, by name. */
  defaults(): ReadonlyMap<string, Content>
  /**
   * When deploying a text again that is in force already does something, so that it is a version of its own: each time, or
   * when somebody else does. Otherwise it changes nothing, and is told to be unchanged.
   */
  isRedeployed?: 'always' | 'byOthers'
  /**
   * As much of a text as can be read, where contributions of a file may name one another whatever their order;
   * undefined when nothing can be made of it. What is wrong with it is the business of `examine`.
   */
  draft?(text: ContributionText): Content | undefined
  /**
   * Everything that may refuse a text.
   *
   * @param among what is deployed together with the others that come with it; `deployed` is as it is before.
   * @returns what is kept, whether it may take the place of another, what would come of it, and what in it is
   * probably not meant so.
   * @throws invalid with details, conflict.
   */
  examine(
    text: ContributionText,
    deployed: Deployed,
    among?: Deployed,
  ): Promise<{
    content: Content
    mayReplace: boolean
    plan: object
    warnings?: readonly ErrorDetail[]
  }>
  /** @throws conflict when something still needs the contribution. */
  checkRemovable(version: DeployedVersion<Content>, deployed: Deployed): Promise<void>
  /**
   * The text of a content in a notation that it was not deployed in.
   *
   * @param entity what lists tell of the version, for notations that say more than was deployed.
   */
  write(version: DeployedVersion<Content>, format: ContributionFormat, entity?: object): string
  /** What lists show of a version beside its number, author and the like. */
  entity(version: DeployedVersion<Content>): object
  /** The JSON Schema of one contribution, for editors. */
  jsonSchema(deployed: Deployed): object
}
