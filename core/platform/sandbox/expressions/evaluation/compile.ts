import { fail } from '../../../errors/index.js'
import { splitTemplate } from '../language/template.js'
import { type Fragment, HELPERS, type Translation, translate } from '../language/translate.js'
import { shown } from '../limits.js'

/** A source ready for the sandbox. */
export type Program = {
  source: string
  /** JavaScript of one expression, on lines of its own. */
  code: string
  /** Offset in `code` of each fragment, ascending, with the offset in the source that it came from. */
  places: readonly { from: number; at: number }[]
  names: ReadonlySet<string>
  quick: boolean
}

// Line breaks are kept, because statements in a function body may end with one.
const between = (source: string, left: Fragment | undefined, right: Fragment): string =>
  left !== undefined && left.at < right.at && source.slice(left.at, right.at).includes('\n') ? '\n' : ' '

const render = (source: string, { fragments, names, quick }: Translation): Program => {
  let code = ''
  const places: { from: number; at: number }[] = []
  for (const [index, fragment] of fragments.entries()) {
    code += between(source, fragments[index - 1], fragment)
    places.push({ from: code.length, at: fragment.at })
    code += fragment.text
  }
  return { source, code, places, names, quick }
}

const withSource = <T>(source: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw fail('badRequest', `Expression ${JSON.stringify(shown(source))} cannot be read: ${reason}`, {
      cause: error,
    })
  }
}

export const expressionProgram = (source: string): Program =>
  withSource(source, () => render(source, translate(source, { asExpression: true })))

/** A template is one expression that joins the texts of its parts, so it has one clock and one call. */
export const templateProgram = (source: string): Program =>
  withSource(source, () => {
    const translations: Translation[] = splitTemplate(source).map((part) => {
      if ('text' in part)
        return { fragments: [{ text: JSON.stringify(part.text), at: 0 }], names: new Set(), quick: true }
      const inner = translate(part.expression, { asExpression: true })
      const moved = inner.fragments.map(({ text, at }) => ({ text, at: at + part.at }))
      const open = { text: `${HELPERS}.text((`, at: part.at }
      return { ...inner, fragments: [open, ...moved, { text: '))', at: part.at + part.expression.length }] }
    })
    return render(source, {
      fragments: translations.flatMap(({ fragments }, index) =>
        index === 0 ? fragments : [{ text: '+', at: 0 }, ...fragments],
      ),
      names: new Set(translations.flatMap(({ names }) => [...names])),
      quick: translations.every(({ quick }) => quick),
    })
  })

/** The source offset of a 1-based line and column of `code`. */
export const sourceOffset = (
  { code, places }: Pick<Program, 'code' | 'places'>,
  { line, column }: { line: number; column: number },
): number => {
  const before = code.split('\n').slice(0, line - 1)
  const offset = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1
  const place = places.findLast(({ from }) => from <= offset) ?? places[0]
  return place?.at ?? 0
}

/** The 1-based line and column of an offset in a source. */
export const positionIn = (source: string, offset: number): { line: number; column: number } => {
  const lines = source.slice(0, offset).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
