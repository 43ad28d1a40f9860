import type { SaxesTagNS } from 'saxes'
import { type Cleaner, escaped, requireShort } from './cleaner.js'
import { cleanCss } from './css.js'
import { cleanReference } from './references.js'
import { createXmlCleaner } from './xml-cleaner.js'

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
const XML = 'http://www.w3.org/XML/1998/namespace'

/** SVG in an address in SVG in an address; nobody nests deeper in earnest. */
const MAX_DEPTH = 3

/** What draws something by itself: no scripts, no foreign content, nothing that loads or changes later. */
const ELEMENTS = new Set(
  [
    'svg g defs symbol use switch a title desc style view image',
    'path rect circle ellipse line polyline polygon text tspan tref textPath',
    'linearGradient radialGradient stop pattern clipPath mask marker filter',
    'feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap',
    'feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge',
    'feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence',
  ].flatMap((line) => line.split(' ')),
)

const isReference = ({ uri, local }: { uri: string; local: string }): boolean =>
  local === 'href' && (uri === XLINK || uri === '')

type Attribute = SaxesTagNS['attributes'][string]

/** The attribute as it is written; empty when it is left out. */
const cleanAttribute = (attribute: Attribute, depth: number): string => {
  const { uri, local, value } = attribute
  if (isReference(attribute)) {
    const reference = cleanReference(value, (svg) => cleanSvgText(svg, depth + 1))
    return reference === null ? '' : ` ${uri === XLINK ? 'xlink:href' : 'href'}="${escaped(reference)}"`
  }
  if (uri === XML && local === 'space') return ` xml:space="${escaped(value)}"`
  if (uri !== '' || local === 'xmlns' || /^on/i.test(local)) return ''
  const isStyled = local === 'style' || /url\(|\\/i.test(value)
  return ` ${local}="${escaped(isStyled ? cleanCss(value) : value)}"`
}

/**
 * SVG without what leads out of it: external references, includes, entities, scripts, style sheets and foreign
 * elements. What is left is written again, so that every reader sees the same.
 *
 * @param depth how many SVG this one is embedded in.
 */
export const createSvgCleaner = (depth = 0): Cleaner => {
  let level = 0
  let css: string | undefined
  return createXmlCleaner({
    open: ({ local, uri, attributes }) => {
      if (uri !== SVG || !ELEMENTS.has(local)) {
        if (level === 0) throw new Error('its root is no svg element')
        return null
      }
      const namespaces = level === 0 ? ` xmlns="${SVG}" xmlns:xlink="${XLINK}"` : ''
      level++
      if (local === 'style') css = ''
      const cleaned = Object.values(attributes).map((attribute) => cleanAttribute(attribute, depth))
      return `<${local}${namespaces}${cleaned.join('')}>`
    },
    close: ({ local }) => {
      const style = css === undefined ? '' : escaped(cleanCss(css))
      css = undefined
      level--
      return `${style}</${local}>`
    },
    text: (part) => {
      if (level === 0) return ''
      if (css === undefined) return escaped(part)
      css += part
      requireShort(css.length)
      return ''
    },
  })
}

/** Characters of an embedded SVG, which is read in one go: others wait up to a sixth of a second. */
const MAX_EMBEDDED = 128 * 1024

/** An embedded SVG; null for what is none, is too long, or is embedded too deep. */
export const cleanSvgText = (text: string, depth: number): string | null => {
  if (depth > MAX_DEPTH || text.length > MAX_EMBEDDED) return null
  const cleaner = createSvgCleaner(depth)
  try {
    const clean = cleaner.write(text) + cleaner.end()
    requireShort(clean.length)
    return clean
  } catch {
    // Embedded content that no reader shows: the caller leaves it out.
    return null
  }
}
