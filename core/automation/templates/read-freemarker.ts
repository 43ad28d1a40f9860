import { type CodeContext, codeOf, localName } from './freemarker-code.js'
import { parseExpression, parseLeading } from './freemarker-expression.js'
import { type Piece, splitFreemarker } from './freemarker-pieces.js'
import { refuse, requireShallow } from './place.js'
import type { Branch, Place, TemplateNode } from './types.js'

/** Another template by its name, for `<#include>`. */
export type FindTemplate = (name: string) => string | undefined

/** Templates that include one another more deeply do so in a circle. */
const DEEPEST = 10
const NAME = /^[A-Za-z_][\w@]*$/

type Tag = Extract<Piece, { kind: 'tag' }>

/** Around a place: the elements of lists, and what is done to every value there (`<#escape>`). */
type Around = { locals: ReadonlySet<string>; escape?: { name: string; code: string } | undefined }

/**
 * Reads a template of FreeMarker.
 *
 * @param used built-ins that the template turns out to use are put into it.
 * @throws badRequest naming the line and column of what is wrong, or not understood.
 */
export const readFreemarker = (
  source: string,
  { used, find, depth = 0 }: { used: Set<string>; find: FindTemplate; depth?: number },
): TemplateNode[] => {
  const pieces = splitFreemarker(source)
  const assigned = new Set(
    pieces.flatMap((piece) =>
      piece.kind === 'tag' && ASSIGNMENTS.has(piece.name) ? [...namesAssigned(piece.text)] : [],
    ),
  )
  let position = 0
  let blocks = 0

  const contextOf = ({ locals }: Around): CodeContext => ({ locals, assigned, used })
  const read = (text: string, around: Around, at: Place): string =>
    codeOf(parseExpression(text, at), contextOf(around), at)

  const readValue = (text: string, around: Around, at: Place): TemplateNode => {
    const code = read(text, around, at)
    const outer = around.escape
    return {
      kind: 'value',
      at,
      code: outer ? `((${localName(outer.name)}) => ${outer.code})(${code})` : code,
    }
  }

  const readIf = (first: Tag, around: Around): TemplateNode => {
    const branches: Branch[] = []
    let tag: Tag = first
    let isLast = false
    for (;;) {
      const hasCondition = tag.name === 'if' || tag.name === 'elseif'
      if (isLast) throw refuse(tag.at, `<#${tag.name}> stands behind <#else>`)
      isLast = !hasCondition
      const condition = hasCondition
        ? { code: `$truth(${read(tag.text, around, tag.at)})`, at: tag.at }
        : undefined
      const { nodes, end } = readUntil(['/#if', 'elseif', 'else'], around, first)
      branches.push(condition ? { condition, nodes } : { nodes })
      if (end.name === '/#if') return { kind: 'choice', branches }
      tag = end
    }
  }

  const readList = (tag: Tag, around: Around): TemplateNode => {
    const { expression, rest } = parseLeading(tag.text, tag.at)
    const [, item = '', value] = /^\s*as\s+([\w@]+)\s*(?:,\s*([\w@]+)\s*)?$/.exec(rest) ?? []
    if (!NAME.test(item)) throw refuse(tag.at, '<#list values as name> is expected')
    const locals = new Set([...around.locals, item, ...(value ? [value] : [])])
    const body = readUntil(['/#list', 'else'], { ...around, locals }, tag)
    const otherwise = body.end.name === 'else' ? readUntil(['/#list'], around, tag).nodes : []
    const code = codeOf(expression, contextOf(around), tag.at)
    return { kind: 'list', code, at: tag.at, item, value, nodes: body.nodes, otherwise }
  }

  const readAssign = (tag: Tag, around: Around): TemplateNode[] => {
    const nodes: TemplateNode[] = []
    let rest = tag.text
    if (!rest.includes('=')) throw refuse(tag.at, `<#${tag.name} name = value> is expected`)
    while (rest.trim() !== '') {
      const [head, name = ''] = /^\s*([A-Za-z_][\w@]*)\s*=(?!=)/.exec(rest) ?? []
      if (head === undefined) throw refuse(tag.at, `<#${tag.name} name = value> is expected`)
      const { expression, rest: behind } = parseLeading(rest.slice(head.length), tag.at)
      nodes.push({ kind: 'assign', name, at: tag.at, code: codeOf(expression, contextOf(around), tag.at) })
      rest = behind
    }
    return nodes
  }

  const readEscape = (tag: Tag, around: Around): TemplateNode[] => {
    const [, name = '', text = ''] = /^\s*([A-Za-z_][\w@]*)\s+as\s+([\s\S]+)$/.exec(tag.text) ?? []
    if (name === '') throw refuse(tag.at, '<#escape name as expression> is expected')
    const code = read(text, { locals: new Set([...around.locals, name]) }, tag.at)
    return [...readUntil(['/#escape'], { ...around, escape: { name, code } }, tag).nodes]
  }

  const readInclude = (tag: Tag): TemplateNode[] => {
    const expression = parseExpression(tag.text, tag.at)
    if (expression.kind !== 'literal' || typeof expression.value !== 'string')
      throw refuse(tag.at, '<#include "name"> is expected, a text without holes')
    const name = expression.value.replace(/^template:/, '')
    const text = find(name)
    if (text === undefined) throw refuse(tag.at, `no template '${name}' is deployed`)
    if (depth >= DEEPEST) throw refuse(tag.at, `templates include one another more than ${DEEPEST} times`)
    return readFreemarker(text, { used, find, depth: depth + 1 })
  }

  const readTag = (tag: Tag, around: Around): readonly TemplateNode[] => {
    switch (tag.name) {
      case 'if':
        return [readIf(tag, around)]
      case 'list':
        return [readList(tag, around)]
      case 'assign':
      case 'local':
      case 'global':
        return readAssign(tag, around)
      case 'escape':
        return readEscape(tag, around)
      case 'noescape':
        return readUntil(['/#noescape'], { ...around, escape: undefined }, tag).nodes
      case 'include':
        return readInclude(tag)
      case 'break':
        return [{ kind: 'break' }]
      default:
        throw refuse(tag.at, `<${tag.name.startsWith('/') ? '' : '#'}${tag.name}> is not understood here`)
    }
  }

  /** What stands before one of some tags. */
  const readUntil = (
    ends: readonly string[],
    around: Around,
    opened?: Tag,
  ): { nodes: readonly TemplateNode[]; end: Tag } => {
    const nodes: TemplateNode[] = []
    if (opened) requireShallow(++blocks, opened.at)
    for (;;) {
      const piece = pieces[position++]
      if (piece === undefined) {
        if (opened) throw refuse(opened.at, `<#${opened.name}> has no end`)
        return { nodes, end: { kind: 'tag', name: '', text: '', at: { line: 1, column: 1 } } }
      }
      if (piece.kind === 'text') nodes.push(piece)
      else if (piece.kind === 'value') nodes.push(readValue(piece.text, around, piece.at))
      else if (ends.includes(piece.name)) {
        blocks--
        return { nodes, end: piece }
      } else if (piece.name !== 'comment') nodes.push(...readTag(piece, around))
    }
  }

  return [...readUntil([], { locals: new Set() }).nodes]
}

const ASSIGNMENTS = new Set(['assign', 'local', 'global'])

const namesAssigned = (text: string): Iterable<string> =>
  [...text.matchAll(/(?:^|\s)([A-Za-z_][\w@]*)\s*=(?!=)/g)].map(([, name = '']) => name)
