import { fail } from '../../errors/index.js'

export type Parameter = string | number | readonly string[]

/** Postgres takes 65,535 parameters; some are left for paging. */
const MAX_PARAMETERS = 65_000

/** Collects the values of a statement. Nothing that a caller wrote reaches the text of a statement but through it. */
export type Binder = {
  values: readonly Parameter[]
  /** Gives the placeholder of the value with its type, e.g. `$3::text`. */
  bind(value: Parameter, type: string): string
}

export const createBinder = (): Binder => {
  const values: Parameter[] = []
  return {
    values,
    bind: (value, type) => {
      if (values.length >= MAX_PARAMETERS) {
        throw fail('badRequest', `NXQL: the query has more than ${MAX_PARAMETERS} values`)
      }
      values.push(value)
      return `$${values.length}::${type}`
    },
  }
}
