import { isTemplate, splitTemplate, type TemplatePart } from '../language/template.js'
import { UNBINDABLE } from '../language/unbindable.js'
import type { ExpressionScope } from '../types.js'
import { documentField, documentOf, isPlatformName } from './names.js'

/** Reads a text of a scope without the sandbox; undefined where the sandbox has to evaluate it. */
export type Direct = (scope: ExpressionScope) => string | undefined

const NAME = '[A-Za-z_][A-Za-z0-9_]*'
const KEY = '[A-Za-z_][A-Za-z0-9_.:-]*'
const ACCESS = new RegExp(`^\\s*(${NAME})(?:\\.(${NAME})|\\[\\s*(?:"(${KEY})"|'(${KEY})')\\s*\\])?\\s*$`)

/** Half a character does not get through the sandbox. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Fields of a document that the sandbox too requests from the host by this name, as it does names with a prefix. */
const DOCUMENT_FIELDS = new Set(['id', 'name', 'path', 'type', 'title', 'description', 'lifeCycle'])

const textIn = (holder: unknown, name: string): string | undefined => {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined
  const value: unknown = Reflect.get(holder, name)
  return typeof value === 'string' ? value : undefined
}

const readOf = (source: string): Direct | undefined => {
  const [, name, plain, double, single] = ACCESS.exec(source) ?? []
  const key = plain ?? double ?? single
  if (name === undefined || key === '__proto__') return undefined
  if (key === undefined)
    return isPlatformName(name) || UNBINDABLE.has(name)
      ? undefined
      : ({ variables }) => textIn(variables, name)
  switch (name) {
    case 'ChainParameters':
      return ({ variables }) => textIn(variables.ChainParameters, key)
    case 'CurrentUser':
    case 'currentUser':
      return key === 'name' ? ({ principal }) => principal.name : undefined
    case 'Document':
    case 'currentDocument':
      if (!DOCUMENT_FIELDS.has(key) && (!key.includes(':') || key.startsWith('get'))) return undefined
      return (scope) => {
        const document = documentOf(scope)
        const value = document && documentField(document, key)
        return typeof value === 'string' ? value : undefined
      }
    default:
      return undefined
  }
}

/** A template that cannot be split is reported by its translation. */
const partsOf = (source: string): readonly TemplatePart[] => {
  if (!isTemplate(source)) return [{ expression: source, at: 0 }]
  try {
    return splitTemplate(source)
  } catch {
    return [{ expression: source, at: 0 }]
  }
}

/**
 * How to read an expression that does nothing but name a text, or a template of such: most expressions of chains are
 * (`ChainParameters["key"]`, `Document["dc:title"]`). They hold nothing to isolate from the process, and the
 * sandbox takes ten times as long for the same value.
 *
 * @param most characters of a text.
 * @returns undefined for every other one.
 */
export const directOf = (source: string, { most }: { most: number }): Direct | undefined => {
  const reads: Direct[] = []
  for (const part of partsOf(source)) {
    const read = 'text' in part ? () => part.text : readOf(part.expression)
    if (read === undefined) return undefined
    reads.push(read)
  }
  return (scope) => {
    let whole = ''
    for (const read of reads) {
      const text = read(scope)
      if (text === undefined || text.length > most) return undefined
      whole += text
    }
    return whole.length > most || LONE_SURROGATE.test(whole) ? undefined : whole
  }
}
