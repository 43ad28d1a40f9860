import type { Session } from '../../../../core/content/documents/index.js'
import type { Field } from '../../../../core/model/content-model/index.js'
import type { Platform } from '../../../../runtime/index.js'
import type { EntityOptions } from '../../entities/index.js'
import type { Renderer } from '../renderer.js'

/** The dependencies of the writers of referenced entities. */
export type ReferenceContext = {
  platform: Platform
  session: Session
  /** For referenced documents: one level deeper. */
  renderer: Renderer
  options(entity: string): EntityOptions
  /** The caller's languages, best first, e.g. `['fr', 'en']`. */
  languages: readonly string[]
}

export type Resolver = NonNullable<Field['resolver']>

/** The entity that a stored value refers to; undefined when there is none that the caller may see. */
export type ResolveReference = (
  value: string,
  resolver: Resolver,
  context: ReferenceContext,
) => Promise<object | undefined>
