import type { SaxesTagNS } from 'saxes'
import { type Cleaner, escaped, requireShort } from './cleaner.js'
import { cleanReference } from './references.js'
import { cleanSvgText } from './svg.js'
import { createXmlCleaner } from './xml-cleaner.js'

const ODF = 'urn:oasis:names:tc:opendocument:xmlns:'
const XLINK = 'http://www.w3.org/1999/xlink'
const XMLNS = 'http://www.w3.org/2000/xmlns/'

/** Left out with all that is in them: they load something, or do something. */
const DROPPED = new Set(
  [
    'scripts event-listeners dde-source dde-connection-decls applet plugin floating-frame object-ole sound',
    'connection-resource font-face-uri definition-src table-source cell-range-source section-source template',
    'database-source-sql database-source-table database-source-query include script',
  ].flatMap((line) => line.split(' ')),
)

/** What an address begins with, of any kind. */
const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|file:|\\\\|\/\/)/i

/** What leads from a formula to other files and servers. */
const FAR_FORMULA = /:\/\/|file:|\bwebservice\b|\bdde\b/i

type Attribute = SaxesTagNS['attributes'][string]

/** A link is shown, and followed by whoever reads the document. */
const isLink = ({ uri, local }: SaxesTagNS, value: string): boolean =>
  uri.startsWith(ODF) && local === 'a' && /^\s*(?:https?|mailto):/i.test(value)

const isKept = (tag: SaxesTagNS, { uri, local, value }: Attribute): boolean => {
  if (uri === XMLNS) return true
  if (uri === XLINK && local === 'href') return value.startsWith('#') || isLink(tag, value)
  if (local === 'base') return false
  return !(local === 'formula' ? FAR_FORMULA : ADDRESS).test(value)
}

/** An embedded picture in base64; empty for all else. An SVG is sanitised as well. */
const cleanBinary = (base64: string): string => {
  const data = `data:image/any;base64,${base64.replace(/\s/g, '')}`
  const clean = cleanReference(data, (svg) => cleanSvgText(svg, 1))
  return clean === null ? '' : clean.slice(clean.indexOf(',') + 1)
}

/** Characters of an embedded picture in base64. */
const MAX_BINARY = 16 * 1024 * 1024

const START = '<?xml version="1.0" encoding="UTF-8"?>\n'

/**
 * An office document that is one XML file (flat ODF), without what leads out of it: linked pictures, objects and
 * sections, data sources, scripts, and what is embedded but no picture. Links to websites stay. What is left is written
 * again, in UTF-8.
 */
export const createFlatOdfCleaner = (): Cleaner => {
  let binary: string | undefined
  return createXmlCleaner({
    start: START,
    longest: MAX_BINARY,
    open: (tag) => {
      if (DROPPED.has(tag.local)) return null
      if (tag.local === 'binary-data') binary = ''
      const kept = Object.values(tag.attributes).filter((attribute) => isKept(tag, attribute))
      return `<${tag.name}${kept.map(({ name, value }) => ` ${name}="${escaped(value)}"`).join('')}>`
    },
    close: ({ name }) => {
      const content = binary === undefined ? '' : cleanBinary(binary)
      binary = undefined
      return `${content}</${name}>`
    },
    text: (part) => {
      if (binary === undefined) return escaped(part)
      binary += part
      requireShort(binary.length, MAX_BINARY)
      return ''
    },
  })
}
