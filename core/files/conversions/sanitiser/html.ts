import { Parser } from 'htmlparser2'
import { type Cleaner, createLevels, escaped, piecesOf, requireShort } from './cleaner.js'
import { cleanCss } from './css.js'
import { cleanReference } from './references.js'
import { cleanSvgText } from './svg.js'

/** Left out with all that is in them. */
const DROPPED = new Set(
  'script iframe frame frameset object embed applet noscript template audio video foreignobject'.split(' '),
)

/** Left out by themselves: they load, or say how to read what is written in UTF-8 now. */
const SKIPPED = new Set('base link meta source track param portal fencedframe'.split(' '))

const VOID = new Set('area br col hr img input wbr'.split(' '))

/** Attributes that name what is loaded. */
const REFERENCES = new Set(
  [
    'src href xlink:href background data poster action formaction cite longdesc lowsrc dynsrc classid codebase',
    'code archive usemap profile manifest icon ping xml:base',
  ].flatMap((line) => line.split(' ')),
)

/** A link is shown, and followed by whoever reads the page. */
const isLink = (element: string, value: string): boolean =>
  (element === 'a' || element === 'area') && /^\s*(?:https?|mailto):/i.test(value)

const cleanAttribute = (element: string, name: string, value: string): string => {
  if (!/^[a-z_][\w.:-]*$/i.test(name) || /^on/i.test(name) || name === 'srcset' || name === 'srcdoc')
    return ''
  const isReference = REFERENCES.has(name) && !isLink(element, value)
  const kept = isReference
    ? cleanReference(value, (svg) => cleanSvgText(svg, 1))
    : /url\(|\\/i.test(value)
      ? cleanCss(value)
      : value
  return kept === null ? '' : ` ${name}="${escaped(name === 'style' ? cleanCss(kept) : kept)}"`
}

const START = '<!DOCTYPE html>\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\n'

/**
 * HTML without what leads out of it: frames, scripts, style sheets, and pictures that are not inside. Links to
 * websites stay. What is left is written again, in UTF-8.
 */
export const createHtmlCleaner = (): Cleaner => {
  const levels = createLevels()
  let out = START
  let dropped = 0
  let css: string | undefined

  const isSkipped = (name: string): boolean => SKIPPED.has(name) || !/^[a-z][a-z0-9]*$/.test(name)
  const parser = new Parser({
    onopentagname: levels.begin,
    onattribute: (_, value) => levels.attribute(value),
    oncomment: levels.part,
    onprocessinginstruction: (_, data) => levels.part(data),
    onopentag: (name, attributes) => {
      levels.enter()
      if (dropped > 0 || DROPPED.has(name)) {
        dropped++
        return
      }
      if (isSkipped(name)) return
      out += `<${name}`
      for (const [key, value] of Object.entries(attributes)) out += cleanAttribute(name, key, value)
      out += '>'
      if (name === 'style') css = ''
    },
    onclosetag: (name) => {
      levels.leave()
      // Whole, as a word may come in two pieces.
      if (css !== undefined) out += cleanCss(css).replaceAll('<', '')
      css = undefined
      if (dropped > 0) dropped--
      else if (!isSkipped(name) && !VOID.has(name)) out += `</${name}>`
    },
    ontext: (text) => {
      levels.part(text)
      if (dropped > 0) return
      if (css === undefined) {
        out += escaped(text)
        return
      }
      css += text
      requireShort(css.length)
    },
  })
  const taken = (): string => {
    const result = out
    out = ''
    return result
  }
  return {
    write: (text) => {
      for (const piece of piecesOf(text)) {
        parser.write(piece)
        levels.read(piece.length)
      }
      return taken()
    },
    end: () => {
      parser.end()
      return taken()
    },
  }
}
