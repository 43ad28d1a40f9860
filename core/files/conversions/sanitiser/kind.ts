/** What a file is by its first bytes, whatever its mime type says. */
export type Kind = 'svg' | 'html' | 'other'

/** Charset of text that shows it by its first bytes; undefined where it does not. */
const charsetByBytes = (head: Buffer): string | undefined => {
  const [a, b, c] = head
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be'
  return undefined
}

/** Charset of XML or HTML: by its bytes, by what it declares, else UTF-8. */
export const charsetOf = (head: Buffer): string => {
  const declared = /(?:encoding|charset)\s*=\s*["']?([\w.:-]+)/i.exec(head.toString('latin1', 0, 2048))?.[1]
  return charsetByBytes(head) ?? declared ?? 'utf-8'
}

/** White space, declarations, comments and the document type before the first element. */
const PROLOG =
  /^(?:[\s\uFEFF]|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^>[]*(?:\[(?:[^\]"']|"[^"]*"|'[^']*')*\]\s*)?>)*/i

const HTML_ROOTS = new Set(
  [
    'html head body title meta base link style script p div span table img iframe object embed a center font',
    'h1 h2 h3 h4 h5 h6 ul ol dl pre br hr form b i u strong em',
  ].flatMap((line) => line.split(' ')),
)

const SVG = /<(?:[\w.-]+:)?svg[\s/>]/i
const HTML = /^\s*<!doctype\s+html|<(?:html|head|body)[\s>]/i

export const kindOf = (head: Buffer): Kind => {
  const text = new TextDecoder(charsetByBytes(head) ?? 'latin1').decode(head)
  const rest = text.slice(PROLOG.exec(text)?.[0].length ?? 0)
  const root = /^<(?:[\w.-]+:)?([\w.-]+)/.exec(rest)?.[1]?.toLowerCase()
  // Of a prolog that is not understood, the worst is assumed.
  if (root === 'svg' || (root === undefined && SVG.test(rest))) return 'svg'
  const isXml = /^\s*<\?xml/i.test(text)
  if (root !== undefined && HTML_ROOTS.has(root)) return 'html'
  return !isXml && !text.includes('\0') && HTML.test(text) ? 'html' : 'other'
}
