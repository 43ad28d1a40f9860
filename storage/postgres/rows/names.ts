import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type postgres from 'postgres'
import type { Sql } from '../connection/index.js'

/** A name of the schema: its text in a template, and in a statement of `named` no value either. */
export class Name {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** The columns of a table by the names that they have in its definition. */
type Columns<Table extends PgTable> = { readonly [column in keyof Table['_']['columns']]: Name }

/**
 * The names of a table's columns, behind an alias where there is one: `columnsOf(documents, 'd').parentId` is
 * `d.parent_id`. So a column that is no longer there does not compile, and one that has another name has it everywhere.
 */
export const columnsOf = <Table extends PgTable>(table: Table, alias?: string): Columns<Table> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([key, { name }]) => [
      key,
      new Name(alias === undefined ? name : `${alias}.${name}`),
    ]),
  ) as Columns<Table>

export const tableOf = (table: PgTable): Name => new Name(getTableName(table))

type Value = postgres.ParameterOrFragment<never> | Name

type Merged = { texts: TemplateStringsArray; places: readonly number[] }

const merge = (strings: TemplateStringsArray, values: readonly Value[]): Merged => {
  const texts = [strings[0] ?? '']
  const places: number[] = []
  for (const [place, value] of values.entries()) {
    const after = strings[place + 1] ?? ''
    if (value instanceof Name) texts[texts.length - 1] += value.toString() + after
    else {
      places.push(place)
      texts.push(after)
    }
  }
  return { texts: Object.assign(texts, { raw: [...texts] }), places }
}

/** By the statement as it stands in the source: names are put in once. */
const known = new WeakMap<TemplateStringsArray, Merged>()

/**
 * The driver's tag for statements in which names of the schema may stand. Those at one place of a statement are the
 * same each time: put in once, they cost nothing when it is sent (0.1 µs for the look, Node 20).
 */
export const named =
  (sql: Sql) =>
  <Rows extends readonly (object | undefined)[] = postgres.Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly Value[]
  ): postgres.PendingQuery<Rows> => {
    let merged = known.get(strings)
    if (!merged) {
      merged = merge(strings, values)
      known.set(strings, merged)
    }
    const sent = merged.places.map((place) => values[place] as postgres.ParameterOrFragment<never>)
    return sql<Rows>(merged.texts, ...sent)
  }
