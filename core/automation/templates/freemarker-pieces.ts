// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the marks of the notation
import { placeAt, refuse } from './place.js'
import type { Place } from './types.js'

/** A template of FreeMarker in its parts; a closing tag is named `/#if`, a comment is a tag too. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'value'; text: string; at: Place }
  | { kind: 'tag'; name: string; text: string; at: Place }

const OPENING = /\$\{|<#--|<\/?#[A-Za-z]+|<\/?@[\w.]+/g

/** The offset of what ends an expression, outside of its texts and brackets. */
const endOf = (source: string, from: number, end: '}' | '>'): number => {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    const char = source[at] ?? ''
    if (char === '"' || char === "'") {
      for (at++; at < source.length && source[at] !== char; at++) if (source[at] === '\\') at++
    } else if (char === end && depth === 0) return at
    else if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
  }
  return -1
}

const SPACES = /^[ \t]*$/

/** The spaces before a line's end, and that end. */
const LINE_END = /^[ \t]*\r?\n/

/** A line of nothing but tags leaves no trace in the output. */
const withoutTagLines = (pieces: readonly Piece[]): Piece[] => {
  const textOf = (index: number): string | undefined => {
    const piece = pieces[index]
    return piece?.kind === 'text' ? piece.text : undefined
  }
  const isBlank = (index: number): boolean => SPACES.test(textOf(index) ?? 'x')
  const beginsLine = (first: number): boolean => {
    if (first === 0 || (first === 1 && isBlank(0))) return true
    return /\n[ \t]*$/.test(textOf(first - 1) ?? '')
  }
  const endsLine = (last: number): boolean => {
    const end = pieces.length - 1
    return last === end || (last === end - 1 && isBlank(end)) || LINE_END.test(textOf(last + 1) ?? '')
  }
  const kept = pieces.map((piece) => ({ ...piece }))
  for (let first = 0; first < pieces.length; first++) {
    if (pieces[first]?.kind !== 'tag') continue
    let last = first
    while (pieces[last + 1]?.kind === 'tag' || (isBlank(last + 1) && pieces[last + 2]?.kind === 'tag')) last++
    if (beginsLine(first) && endsLine(last)) {
      const [before, after] = [kept[first - 1], kept[last + 1]]
      if (before?.kind === 'text') before.text = before.text.replace(/(?<![ \t])[ \t]+$/, '')
      if (after?.kind === 'text') after.text = after.text.replace(/^[ \t]*(?:\r?\n|$)/, '')
      for (const inner of kept.slice(first, last + 1)) if (inner.kind === 'text') inner.text = ''
    }
    first = last
  }
  return kept.filter((piece) => piece.kind !== 'text' || piece.text !== '')
}

/**
 * Splits a template of FreeMarker.
 *
 * @throws badRequest naming the place of what has no end, and of what is not built: macros.
 */
export const splitFreemarker = (source: string): Piece[] => {
  const pieces: Piece[] = []
  let from = 0
  const text = (to: number): void => {
    if (to > from) pieces.push({ kind: 'text', text: source.slice(from, to) })
  }
  const closing = (opened: number, sign: string): number => {
    const end = source.indexOf(sign, opened)
    if (end < 0) throw refuse(placeAt(source, opened), `'${sign}' is missing`)
    return end
  }
  for (;;) {
    OPENING.lastIndex = from
    const found = OPENING.exec(source)
    if (found === null) break
    const [opening] = found
    const at = placeAt(source, found.index)
    const inner = found.index + opening.length
    text(found.index)
    if (opening === '${') {
      const end = endOf(source, inner, '}')
      if (end < 0) throw refuse(at, "'}' is missing")
      pieces.push({ kind: 'value', text: source.slice(inner, end), at })
      from = end + 1
    } else if (opening === '<#--') {
      from = closing(found.index, '-->') + 3
      pieces.push({ kind: 'tag', name: 'comment', text: '', at })
    } else if (opening.includes('@')) throw refuse(at, `${opening}> calls a macro; there are no macros here`)
    else {
      const end = endOf(source, inner, '>')
      if (end < 0) throw refuse(at, "'>' is missing")
      const name = opening.startsWith('</') ? opening.slice(1) : opening.slice(2)
      from = end + 1
      if (name === 'noparse') {
        const close = closing(found.index, '</#noparse>')
        pieces.push({ kind: 'text', text: source.slice(from, close) })
        from = close + '</#noparse>'.length
      } else pieces.push({ kind: 'tag', name, text: source.slice(inner, end).replace(/\/$/, ''), at })
    }
  }
  text(source.length)
  return withoutTagLines(pieces)
}
