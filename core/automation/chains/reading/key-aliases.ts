import { type Place, suggestion } from '../../../platform/contributions/index.js'
import { type Entry, isAbsent, type Tree } from './tree.js'
import { scalarText } from './tree-reading.js'

/**
 * The keys of the map form (reference: automation.md §8); aliases are ours to add, so that nothing XML says is lost, and so is
 * how a chain is executed.
 */
export const VIEW_KEYS = ['description', 'aliases', 'execution', 'params', 'operations', 'onError'] as const

/** Keys that people write for another. */
const MEANT: { readonly [key: string]: (typeof VIEW_KEYS)[number] } = {
  steps: 'operations',
  ops: 'operations',
  actions: 'operations',
  tasks: 'operations',
  parameters: 'params',
  args: 'params',
  arguments: 'params',
  alias: 'aliases',
  label: 'description',
  mode: 'execution',
  catch: 'onError',
  error: 'onError',
}

/** Keys by which contributions to other extension points are known. */
const ELSEWHERE: { readonly [key: string]: { what: string; point: string } } = {
  events: { what: 'an event handler', point: 'eventHandlers' },
  cron: { what: 'a schedule', point: 'schedules' },
}

/** A text that is no chain at all, but a contribution to another point as it is deployed by itself. */
export const detectWrongContribution = (
  entries: readonly Entry[],
): { at: Place; message: string } | undefined => {
  if (entries.some(({ key }) => key === 'operations')) return undefined
  const entry = entries.find(({ key }) => Object.hasOwn(ELSEWHERE, key))
  const owner = entry && ELSEWHERE[entry.key]
  if (!owner) return undefined
  const { what, point } = owner
  const message = `"${entry.key}" belongs to ${what}, and this is read as a chain: in a file, write ${point}: and the name of ${what} below it, and what it has below that`
  return { at: entry.keyAt, message }
}

/** An operation where a key of the chain is expected has lost the dash before it. */
export const unknownKey = (key: string, value: Tree): string => {
  const unknown = `unknown key "${key}"`
  if (key === 'id' || key === 'name' || key === 'chain')
    return `${unknown}: a chain is called what its file or address is; aliases: [${scalarText(value) ?? 'other'}] gives it another name`
  const meant = Object.hasOwn(MEANT, key) ? MEANT[key] : undefined
  const hint = meant ? `, did you mean "${meant}"?` : suggestion(key, VIEW_KEYS)
  if (hint !== '') return `${unknown}${hint}`
  const isStep = isAbsent(value) || value.kind === 'map' || key.includes('.')
  return isStep
    ? `${unknown}: an operation stands in a list, behind a dash: - ${key}`
    : `${unknown}; known are ${VIEW_KEYS.join(', ')}`
}

/** Keys under which other tools name what a step calls. */
const CALLING_KEYS = ['operation', 'id', 'op', 'name', 'action', 'run', 'step', 'type', 'call']

/** What is said of `- id: Log` and its kin; undefined for everything else. */
export const stepWithAliases = (item: Tree): string | undefined => {
  const first = item.kind === 'map' ? item.entries[0] : undefined
  const entry = first && CALLING_KEYS.includes(first.key) ? first : undefined
  const called = entry && scalarText(entry.value)
  return called === undefined
    ? undefined
    : `an operation is the key itself, and its parameters stand below it: write - ${called}: {…}, and not ${entry?.key}: ${called}`
}
