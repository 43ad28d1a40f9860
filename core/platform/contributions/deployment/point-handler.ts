import type { ErrorDetail } from '../../errors/index.js'
import type { ElementForms } from '../xml/element-form.js'
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
 * taken again when that state has changed.
 */
export type PointHandler<Content = unknown> = {
  point: string
  /** The wire's name of one of its contributions; with an `s` that of a list, with `Plan` that of a dry run. */
  entityType: string
  /** What messages call one of its contributions, in lower case: `chain`. */
  noun: string
  /** The notations of its texts; the first is preferred. */
  formats: readonly ContributionFormat[]
  /** Notations that are only read: a text is shown in them as it was deployed. */
  onlyRead?: readonly ContributionFormat[]
  /** Elements of the incumbent that are read in the regular form. */
  elements?: ElementForms
  /** Why a text cannot be a name, e.g. `is reserved`; undefined when it can. */
  refusalOfName(name: string): string | undefined
  /** What the configuration's files contribute, by name. */
  defaults(): ReadonlyMap<string, Content>
  /**
   * When deploying the text in force again has an effect, so that it is a version of its own: each time, or
   * when somebody else does. Otherwise it changes nothing, and is reported as unchanged.
   */
  isRedeployed?: 'always' | 'byOthers'
  /**
   * As much of a text as can be read, where contributions of a file may name one another in any order;
   * undefined when it cannot be read at all. `examine` reports what is wrong with it.
   */
  draft?(text: ContributionText): Content | undefined
  /**
   * Everything that may refuse a text.
   *
   * @param among what is deployed together with the others that come with it; `deployed` is as it is before.
   * @returns the content to store, whether it may replace another, its outcome, and its
   * warnings.
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
   * @param entity what lists show of the version, for notations that say more than was deployed.
   */
  write(version: DeployedVersion<Content>, format: ContributionFormat, entity?: object): string
  /** What lists show of a version beside its number, author and the like. */
  entity(version: DeployedVersion<Content>): object
  /** The JSON Schema of one contribution, for editors. */
  jsonSchema(deployed: Deployed): object
}
