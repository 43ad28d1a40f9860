import { fail } from '../../../core/platform/errors/index.js'

/** What the protocol of the database takes, less some for pages. */
const MAX_VALUES = 65_000

export type Parameter = string | number | readonly string[]

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
      if (values.length >= MAX_VALUES) throw fail('badRequest', `NXQL: more than ${MAX_VALUES} values`)
      values.push(value)
      return `$${values.length}::${type}`
    },
  }
}
