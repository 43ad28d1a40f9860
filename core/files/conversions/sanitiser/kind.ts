import { HEAD_BYTES } from './head.js'
import { isRaster } from './references.js'

/**
 * What a file is by its first bytes, whatever its mime type says. `odf`: an office document as one XML file; `package`: a
 * zip archive; `longProlog`: XML whose first element is not among them.
 */
export type Kind =
  | 'svg'
  | 'html'
  | 'odf'
  | 'package'
  | 'picture'
  | 'rtf'
  | 'binaryOffice'
  | 'longProlog'
  | 'other'

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

/** The name of an element, without its prefix. */
const ROOT = /^<(?:[^\s<>/:=!?]+:)?([^\s<>/:=!?]+)/

const SVG = /<(?:[^\s<>/:=]+:)?svg[\s/>]/i
const HTML = /^\s*<!doctype\s+html|<(?:html|head|body)[\s>]/i

const PROLOG_GOES_ON = /^(?:$|<[!?])/

const MAGIC: readonly [Kind, Buffer][] = [
  ['package', Buffer.from('PK\u0003\u0004')],
  ['rtf', Buffer.from('{\\rtf')],
  ['binaryOffice', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
]

export const kindOf = (head: Buffer): Kind => {
  const found = MAGIC.find(([, magic]) => head.subarray(0, magic.length).equals(magic))
  if (found) return found[0]
  const kind = textKindOf(head)
  return kind === 'other' && isRaster(head) ? 'picture' : kind
}

const textKindOf = (head: Buffer): Kind => {
  const text = new TextDecoder(charsetByBytes(head) ?? 'latin1').decode(head)
  const rest = text.slice(PROLOG.exec(text)?.[0].length ?? 0)
  const root = ROOT.exec(rest)?.[1]?.toLowerCase()
  // Of a prolog that is not understood, the worst is assumed.
  if (root === 'svg' || (root === undefined && SVG.test(rest))) return 'svg'
  const isXml = /^\s*<\?xml/i.test(text)
  if (root !== undefined && HTML_ROOTS.has(root)) return 'html'
  if (root === 'document') return 'odf'
  if (!isXml && !text.includes('\0') && HTML.test(text)) return 'html'
  const isLong = root === undefined && head.length >= HEAD_BYTES && PROLOG_GOES_ON.test(rest)
  return isLong ? 'longProlog' : 'other'
}
