import { kindOf } from '../../../model/properties/index.js'
import type { Report } from '../../../platform/contributions/index.js'
import { type Entry, isAbsent, plainValue, type Tree } from './tree.js'

/** `expected a text, found a list` */
export const expected = (what: string, tree: Tree): string =>
  `expected ${what}, found ${kindOf(plainValue(tree))}`

/** The text of a scalar; undefined of everything else, and of nothing. */
export const scalarText = (tree: Tree): string | undefined =>
  tree.kind === 'scalar' && tree.value !== null ? String(tree.value) : undefined

/** The items of a list; none where there is nothing, or something else, which is reported. */
export const itemsOf = (tree: Tree | undefined, field: string, report: Report): readonly Tree[] => {
  if (isAbsent(tree)) return []
  if (tree.kind === 'list') return tree.items
  const example = scalarText(tree)
  report(field, tree.at, `${expected('a list', tree)}${example === undefined ? '' : `; write [${example}]`}`)
  return []
}

/** The texts of a list with their places. */
export const readTexts = (tree: Tree | undefined, field: string, report: Report) =>
  itemsOf(tree, field, report).flatMap((item, index) => {
    const text = scalarText(item)
    if (text !== undefined) return [{ name: text, at: item.at }]
    report(`${field}[${index}]`, item.at, expected('a text', item))
    return []
  })

/**
 * The one entry of a list item `- name: details`, or `- name` alone.
 *
 * @param inOtherWords what is said of an item that is written as other tools have it.
 */
export const onlyEntry = (
  item: Tree,
  {
    field,
    what,
    inOtherWords,
    report,
  }: { field: string; what: string; inOtherWords?: (item: Tree) => string | undefined; report: Report },
): Entry | undefined => {
  if (item.kind === 'scalar' && typeof item.value === 'string' && item.value !== '')
    return { key: item.value, keyAt: item.at, value: { kind: 'scalar', at: item.at, value: null } }
  if (item.kind !== 'map') {
    report(field, item.at, expected(what, item))
    return undefined
  }
  const [entry, second] = item.entries
  const otherwise = inOtherWords?.(item)
  if (entry && !second && otherwise === undefined) return entry
  const message = second
    ? `${what} has one key, found "${entry?.key}" and "${second.key}"; is "${second.key}" indented too little?`
    : `expected ${what}, found an empty map`
  report(field, otherwise ? item.at : (second?.keyAt ?? item.at), otherwise ?? message)
  return undefined
}
