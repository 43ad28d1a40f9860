import type { ContentModel } from '../../model/content-model/index.js'
import type { NamedThing } from '../language/index.js'

/** What is configured and deployed, as far as others name it. */
export type KnownNames = {
  model: ContentModel
  of(thing: NamedThing): ReadonlySet<string>
}
