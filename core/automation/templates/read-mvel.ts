import { isArchivoltError } from '../../platform/errors/index.js'
import { tokenize, translate } from '../../platform/sandbox/expressions/index.js'
import { localName } from './freemarker-code.js'
import { placeAt, refuse, requireAllowed, requireShallow } from './place.js'
import type { Branch, Place, TemplateNode } from './types.js'

type Hole = { kind: 'hole'; name: string; text: string; at: Place }
type Piece = { kind: 'text'; text: string } | Hole

/** What opens a hole, with the word before its brace: `@{value}`, `@if{condition}`, … */
const OPENING = /@([a-z]*)\{/g

/**
 * Reads a template of MVEL: `@{value}`, `@if{condition}`, `@else{}`, `@else{condition}`, `@foreach{item : list}`,
 * `@end{}`, `@comment{…}`.
 *
 * @throws badRequest naming the line and column of what is wrong, or not understood.
 */
export const readMvel = (source: string): TemplateNode[] => {
  const pieces = split(source)
  let position = 0
  let blocks = 0

  const code = (text: string, locals: readonly string[], at: Place): string => {
    try {
      const { fragments, names } = translate(text)
      for (const name of names) requireAllowed(name, at)
      const translated = fragments.map((fragment) => fragment.text).join(' ')
      // What a list gives is bound by a function: whatever stands there sees it, and nothing else does.
      return locals.length === 0
        ? `(${translated})`
        : `((${locals.join(', ')}) => (${translated}))(${locals.map(localName).join(', ')})`
    } catch (error) {
      throw isArchivoltError(error) && !error.message.startsWith('template:')
        ? refuse(at, error.message)
        : error
    }
  }

  const readIf = (first: Hole, locals: readonly string[]): TemplateNode => {
    const branches: Branch[] = []
    let hole: Hole = first
    for (;;) {
      const condition =
        hole.text.trim() === '' ? undefined : { code: code(hole.text, locals, hole.at), at: hole.at }
      const { nodes, end } = readUntil(['else', 'elseif', 'end'], locals, first)
      branches.push(condition ? { condition, nodes } : { nodes })
      if (end.name === 'end') return { kind: 'choice', branches }
      hole = end
    }
  }

  const readForeach = (hole: Hole, locals: readonly string[]): TemplateNode => {
    const [, item, list] = /^\s*(?:\w+\s+)?([A-Za-z_]\w*)\s*:([\s\S]+)$/.exec(hole.text) ?? []
    if (item === undefined || list === undefined) throw refuse(hole.at, '@foreach{item : list} is expected')
    const { nodes } = readUntil(['end'], [...locals.filter((name) => name !== item), item], hole)
    return { kind: 'list', item, code: code(list, locals, hole.at), at: hole.at, nodes, otherwise: [] }
  }

  const readUntil = (
    ends: readonly string[],
    locals: readonly string[],
    opened?: Hole,
  ): { nodes: readonly TemplateNode[]; end: Hole } => {
    const nodes: TemplateNode[] = []
    if (opened) requireShallow(++blocks, opened.at)
    for (;;) {
      const piece = pieces[position++]
      if (piece === undefined) {
        if (opened) throw refuse(opened.at, `@${opened.name}{} has no @end{}`)
        return { nodes, end: { kind: 'hole', name: '', text: '', at: { line: 1, column: 1 } } }
      }
      if (piece.kind === 'text') nodes.push(piece)
      else if (ends.includes(piece.name)) {
        blocks--
        return { nodes, end: piece }
      } else if (piece.name === '')
        nodes.push({ kind: 'value', code: code(piece.text, locals, piece.at), at: piece.at })
      else if (piece.name === 'if') nodes.push(readIf(piece, locals))
      else if (piece.name === 'foreach') nodes.push(readForeach(piece, locals))
      else if (piece.name !== 'comment') throw refuse(piece.at, `@${piece.name}{} is not understood here`)
    }
  }

  return [...readUntil([], []).nodes]
}

const split = (source: string): Piece[] => {
  const pieces: Piece[] = []
  let from = 0
  for (;;) {
    OPENING.lastIndex = from
    const found = OPENING.exec(source)
    if (found === null) return [...pieces, { kind: 'text', text: source.slice(from) }]
    const at = placeAt(source, found.index)
    const start = found.index + found[0].length
    pieces.push({ kind: 'text', text: source.slice(from, found.index) })
    const end = endOf(source, start, at)
    pieces.push({ kind: 'hole', name: found[1] ?? '', text: source.slice(start, end), at })
    from = end + 1
  }
}

/** The offset of the brace that ends a hole. */
const endOf = (source: string, start: number, at: Place): number => {
  try {
    return tokenize(source, { start, untilBrace: true }).end
  } catch (error) {
    throw isArchivoltError(error) ? refuse(at, error.message) : error
  }
}
