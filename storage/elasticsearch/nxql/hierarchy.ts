import type { Test } from '../../../core/model/nxql/index.js'
import { isUuid } from '../../../core/model/properties/index.js'
import { allOf, anyOf, type Clause, exists, NOTHING, not, oneOf, within } from './clauses.js'
import { asked } from './scalars.js'

type Of<Kind extends Test['kind']> = Extract<Test, { kind: Kind }>

const opposite = (clause: Clause, negated: boolean): Clause => (negated ? not(clause) : clause)

const PATH = 'ecm:path'

export const pathClause = ({ path, negated }: Of<'isAt'>): Clause =>
  opposite(oneOf(PATH, [asked('text', path)]), negated)

/** `/` is followed by `0` in byte order. */
export const belowClause = ({ folder, negated }: Of<'isBelow'>): Clause => {
  if (folder === null) return opposite(NOTHING, negated)
  const under =
    folder === ''
      ? allOf([exists(PATH), not(oneOf(PATH, ['/']))])
      : within(PATH, { gt: asked('text', `${folder}/`), lt: `${folder}0` })
  return opposite(under, negated)
}

export const belowIdClause = ({ id, negated }: Of<'isBelowId'>): Clause =>
  opposite(isUuid(id) ? oneOf('ecm:ancestorId', [id.toLowerCase()]) : NOTHING, negated)

export const facetClause = ({ types, own, negated }: Of<'hasFacet'>): Clause =>
  opposite(anyOf([oneOf('ecm:primaryType', types), oneOf('ecm:ownMixinType', own)]), negated)

export const movedToTrashClause = ({ negated }: Of<'wasMovedToTrash'>): Clause =>
  opposite(oneOf('ecm:isTrashed', [true]), negated)

export const trashClause = ({ negated }: Of<'isTrashed'>): Clause =>
  opposite(anyOf([oneOf('ecm:isTrashed', [true]), oneOf('ecm:currentLifeCycleState', ['deleted'])]), negated)
