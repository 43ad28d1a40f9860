import { type Query, typesOf } from '../../../../core/model/nxql/index.js'
import type { Context } from '../context.js'
import { d } from './names.js'

export const compileTypes = (from: Query['from'], { model, binder }: Context): string => {
  const { names, isExcluding } = typesOf(from, model)
  return `${d.type} ${isExcluding ? '<> ALL' : '= ANY'}(${binder.bind([...names], 'text[]')})`
}
