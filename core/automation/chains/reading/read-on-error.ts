import { kindOf } from '../../../model/properties/index.js'
import { type Place, type Report, suggestion } from '../../../platform/contributions/index.js'
import { refusalOfExpression } from '../../../platform/sandbox/expressions/index.js'
import { type ErrorChain, isExpression } from '../../language/index.js'
import { isAbsent, plainValue, type Tree } from './tree.js'

const KEYS = ['chain', 'filter', 'rollback', 'priority'] as const

/** `filterAt`: where its filter stands, when that is known. */
export type PlacedErrorChain = { errorChain: ErrorChain; at: Place; filterAt?: Place | undefined }

/** One value of an entry; a wrong one is reported, and read as if it were absent. */
const scalarOf = <Type extends 'string' | 'number' | 'boolean'>(
  tree: Tree | undefined,
  { type, what, field, report }: { type: Type; what: string; field: string; report: Report },
) => {
  if (isAbsent(tree)) return undefined
  if (tree.kind === 'scalar' && typeof tree.value === type)
    return tree.value as { string: string; number: number; boolean: boolean }[Type]
  report(field, tree.at, `expected ${what}, found ${kindOf(plainValue(tree))}`)
  return undefined
}

const exampleOf = (tree: Tree): string => {
  const value = plainValue(tree)
  return `write - chain: ${typeof value === 'string' ? value : 'my-error-chain'}`
}

/** The list `onError` of a chain's YAML view. */
export const readOnError = (tree: Tree | undefined, report: Report): PlacedErrorChain[] => {
  if (isAbsent(tree)) return []
  if (tree.kind !== 'list') {
    report(
      'onError',
      tree.at,
      `expected a list of maps with ${KEYS.join(', ')}, found ${kindOf(plainValue(tree))}; ${exampleOf(tree)}`,
    )
    return []
  }
  return tree.items.flatMap((item, index) => readEntry(item, `onError[${index}]`, report))
}

const readEntry = (item: Tree, field: string, report: Report): PlacedErrorChain[] => {
  if (item.kind !== 'map') {
    report(
      field,
      item.at,
      `expected a map with ${KEYS.join(', ')}, found ${kindOf(plainValue(item))}; ${exampleOf(item)}`,
    )
    return []
  }
  for (const { key, keyAt } of item.entries)
    if (!KEYS.some((known) => known === key))
      report(`${field}.${key}`, keyAt, `unknown key "${key}"${suggestion(key, KEYS)}`)
  const parts = new Map(item.entries.map(({ key, value }) => [key, value]))
  const read = <Type extends 'string' | 'number' | 'boolean'>(key: string, type: Type, what: string) =>
    scalarOf(parts.get(key), { type, what, field: `${field}.${key}`, report })
  const chain = read('chain', 'string', 'the id of a chain') ?? ''
  if (chain === '') report(`${field}.chain`, item.at, 'the key "chain" is needed: the chain that runs')
  const filter = read('filter', 'string', 'an expression')
  checkFilter(filter, { field, at: parts.get('filter')?.at ?? item.at, report })
  const at = parts.get('chain')?.at ?? item.at
  return [
    {
      errorChain: errorChainOf({
        chain,
        filter,
        rollback: read('rollback', 'boolean', 'true or false'),
        priority: read('priority', 'number', 'a number'),
        at: { ...at, field },
      }),
      at,
      filterAt: parts.get('filter')?.at,
    },
  ]
}

/** Reports a filter that cannot be evaluated, as far as its text shows. */
export const checkFilter = (
  filter: string | undefined,
  { field, at, report }: { field: string; at: Place; report: Report },
): void => {
  if (filter === undefined) return
  const refusal = refusalOfExpression(isExpression(filter) ? filter : `expr:${filter}`)
  if (refusal) report(`${field}.filter`, at, refusal)
}

/** An error chain with what its text leaves out, from any notation. */
export const errorChainOf = ({
  chain,
  filter,
  rollback = true,
  priority = 0,
  at,
}: {
  chain: string
  filter?: string | undefined
  rollback?: boolean | undefined
  priority?: number | undefined
  at: NonNullable<ErrorChain['at']>
}): ErrorChain => ({ chain, ...(filter !== undefined && { filter }), rollback, priority, at })
