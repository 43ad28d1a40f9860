import { LRUCache } from 'lru-cache'
import { fail } from '../../platform/errors/index.js'
import { programOf, type TemplateProgram } from './program.js'
import { type FindTemplate, readFreemarker } from './read-freemarker.js'
import { readMvel } from './read-mvel.js'

/** Notations of templates, by the names that callers use. */
const NOTATIONS: { readonly [name: string]: 'freemarker' | 'mvel' } = {
  ftl: 'freemarker',
  freemarker: 'freemarker',
  mvel: 'mvel',
}

/** Characters of one template, without those that it includes. */
export const MAX_TEMPLATE_CHARACTERS = 1024 * 1024

/** Compiled templates that a process keeps, and the characters of their texts. */
const kept = new LRUCache<string, TemplateProgram>({
  max: 200,
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (_, key) => key.length,
})

/**
 * A template ready to be evaluated.
 *
 * @param type `ftl` (FreeMarker) or `mvel`.
 * @throws badRequest naming the line and column of what is wrong, or the type that is none; tooLarge.
 */
export const compileTemplate = (
  text: string,
  { type = 'ftl', find }: { type?: string | undefined; find: FindTemplate },
): TemplateProgram => {
  const notation = Object.hasOwn(NOTATIONS, type.toLowerCase()) ? NOTATIONS[type.toLowerCase()] : undefined
  if (notation === undefined) throw fail('badRequest', `type: '${type}' is not one of ftl, mvel`)
  if (text.length > MAX_TEMPLATE_CHARACTERS)
    throw fail('tooLarge', `template: is longer than ${MAX_TEMPLATE_CHARACTERS} characters`)
  const key = `${notation} ${text}`
  const known = kept.get(key)
  if (known) return known
  const included: string[] = []
  const noting: FindTemplate = (name) => {
    included.push(name)
    return find(name)
  }
  const used = new Set<string>()
  const nodes = notation === 'mvel' ? readMvel(text) : readFreemarker(text, { used, find: noting })
  const program = programOf(nodes, used)
  // What includes others is what those are by now.
  if (included.length === 0) kept.set(key, program)
  return program
}
