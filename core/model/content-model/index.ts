import type { ExtensionPoint } from '../../platform/contributions/index.js'
import { fulltextPoint } from './fulltext-point.js'
import { lifecyclesPoint } from './lifecycles-point.js'
import { schemasPoint } from './schemas-point.js'
import { defaultContentPoint, groupsPoint, usersPoint } from './seed-points.js'
import { type SynonymRule, synonymsPoint } from './synonyms-point.js'
import { facetsPoint, typesPoint } from './types-point.js'

/** The extension points that this module declares. */
export const contentModelPoints: readonly ExtensionPoint[] = [
  schemasPoint,
  facetsPoint,
  typesPoint,
  lifecyclesPoint,
  fulltextPoint,
  synonymsPoint,
  defaultContentPoint,
  groupsPoint,
  usersPoint,
]

export { buildContentModel } from './build-content-model.js'
export { modelName } from './names.js'
export { type Narrowing, narrowings } from './narrowing.js'
export { modelRegistry } from './registry.js'
export { defaultContentOf, groupsPoint, type SeedAce, type SeedDocument, usersPoint } from './seed-points.js'
export type {
  ContentModel,
  DocumentType,
  Facet,
  Field,
  FieldType,
  FulltextFields,
  FulltextIndex,
  FulltextModel,
  Lifecycle,
  ResolvedField,
  Resolver,
  ScalarType,
  Schema,
  Transition,
} from './types.js'
export type { SynonymRule }
