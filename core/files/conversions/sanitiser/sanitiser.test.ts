import { describe, expect, test } from 'vitest'
import { computingTime } from '../../../../test/support/computing-time.js'
import { createFlatOdfCleaner } from './flat-odf.js'
import { HEAD_BYTES } from './head.js'
import { createHtmlCleaner } from './html.js'
import { charsetOf, kindOf } from './kind.js'
import { createSvgCleaner } from './svg.js'

const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const PNG = 'data:image/png;base64,iVBORw0KGgoAAAA='

/** The word `secret`, save in what functions and imports have become. */
const LEADS_OUT = /(?<!(?:none|u72l)\(\s*(?:["']|&quot;)?|@none ["'])secret|@import|url\((?!#)/i

const svg = (content: string, start = ''): string => {
  const cleaner = createSvgCleaner()
  // In pieces, as a file comes.
  const text = `${start}<svg ${XMLNS}>${content}</svg>`
  const half = text.length >> 1
  return cleaner.write(text.slice(0, half)) + cleaner.write(text.slice(half)) + cleaner.end()
}
const html = (content: string): string => {
  const cleaner = createHtmlCleaner()
  const half = content.length >> 1
  return cleaner.write(content.slice(0, half)) + cleaner.write(content.slice(half)) + cleaner.end()
}
const embedded = (text: string): string => `data:image/png;base64,${Buffer.from(text).toString('base64')}`

/** Every embedded SVG as text, so that what it names shows. */
const opened = (text: string): string =>
  text.replace(/data:image\/svg\+xml;base64,([\w+/=]+)/g, (_, base64: string) =>
    opened(Buffer.from(base64, 'base64').toString()),
  )

describe('svg', () => {
  test.each([
    ['image', '<image href="file:///secret"/>'],
    ['image by xlink', '<image xlink:href="file:///secret"/>'],
    ['image by another prefix', '<image xmlns:x="http://www.w3.org/1999/xlink" x:href="/secret"/>'],
    ['sibling', '<image href="secret.png"/>'],
    ['server', '<image href="http://secret/"/>'],
    ['use of another file', '<use href="secret.svg#a"/>'],
    ['filter', '<filter><feImage href="secret"/></filter>'],
    ['include', '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" href="secret"/>'],
    ['include as default namespace', '<include xmlns="http://www.w3.org/2001/XInclude" href="secret"/>'],
    ['base', '<g xml:base="file:///secret/"/>'],
    ['script', '<script>secret</script>'],
    [
      'foreign content',
      '<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="secret"/></foreignObject>',
    ],
    ['handler', '<g onload="secret"/>'],
    ['attribute', '<rect fill="url(secret#a)"/>'],
    ['style', '<rect style="fill: u\\72l( &quot;secret&quot; )"/>'],
    ['style element', '<style><![CDATA[@im\\port "x"; rect { fill: URL(secret) }]]></style>'],
    ['instruction', '<?xml-stylesheet href="secret"?>'],
    ['embedded svg', `<image href="${embedded(`<svg ${XMLNS}><image href="secret"/></svg>`)}"/>`],
    [
      'embedded svg that begins like a picture',
      `<image href="${embedded(`<!--ftypavif--><svg ${XMLNS}><image href="secret"/></svg>`)}"/>`,
    ],
    ['embedded text', `<image href="${embedded('secret')}"/>`],
  ])('%s', (_name, content) => {
    const clean = opened(svg(`${content}<path d="M0 0"/>`))
    expect(clean).not.toMatch(LEADS_OUT)
    expect(clean).toContain('<path d="M0 0">')
  })

  test('what stays inside is kept', () => {
    const content = `<style>rect { fill: url(#a) }</style><image href="${PNG}"/><use xlink:href="#a"/><text x="1">a &lt; b</text>`
    const clean = svg(content)
    for (const kept of ['url(#a)', `href="${PNG}"`, 'xlink:href="#a"', '<text x="1">a &lt; b</text>'])
      expect(clean).toContain(kept)
  })

  test('short entities are resolved, others are refused', () => {
    const start =
      '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg"><!ENTITY file SYSTEM "file:///secret">]>'
    expect(svg('<g xmlns="&ns;" id="a"/>', start)).toContain('<g id="a">')
    expect(() => svg('<text>&file;</text>', start)).toThrow(/entity/)
  })

  test('what is no svg is refused', () => {
    const cleaner = createSvgCleaner()
    expect(() => cleaner.write('<html>a</html>')).toThrow('root')
  })
})

describe('html', () => {
  test.each([
    '<img src="file:///secret">',
    '<img srcset="secret 2x">',
    '<iframe src="secret"></iframe>',
    '<object data="secret"><embed src="secret"></object>',
    '<base href="secret">',
    '<link rel="stylesheet" href="secret">',
    '<meta http-equiv="refresh" content="0; url=secret">',
    '<body background="secret">',
    '<p style="background: url(secret)">',
    '<style>@import "secret"; p { background: url(\'secret\') }</style>',
    '<svg><image xlink:href="secret"/></svg>',
    `<img src="${embedded(`<svg ${XMLNS}><image href="secret"/></svg>`)}">`,
    '<script>secret</script><!-- secret -->',
    '<a href="file:///secret">link</a>',
  ])('%s', (content) => {
    const clean = opened(html(`${content}<p>words</p>`))
    expect(clean).not.toMatch(LEADS_OUT)
    expect(clean).toContain('<p>words</p>')
  })

  test('text, style, links to websites and embedded pictures are kept', () => {
    const content = `<p style="color: red">a &amp; b</p><a href="https://example.org/?a=1&amp;b">c</a><img src="${PNG}">`
    const clean = html(content)
    expect(clean.slice(clean.indexOf('<p'))).toBe(content)
  })
})

describe('flat odf', () => {
  const ODF = 'urn:oasis:names:tc:opendocument:xmlns'
  const NAMESPACES = `xmlns:xlink="http://www.w3.org/1999/xlink" ${[
    'office',
    'text',
    'drawing',
    'table',
    'script',
  ]
    .map((name) => `xmlns:${name}="${ODF}:${name}:1.0"`)
    .join(' ')}`
  const odf = (content: string): string => {
    const cleaner = createFlatOdfCleaner()
    const text = `<office:document ${NAMESPACES}>${content}<text:p>words</text:p></office:document>`
    const half = text.length >> 1
    return cleaner.write(text.slice(0, half)) + cleaner.write(text.slice(half)) + cleaner.end()
  }
  const binary = (text: string) =>
    `<drawing:image><office:binary-data>\n${Buffer.from(text).toString('base64')}\n</office:binary-data></drawing:image>`
  const openedBinary = (text: string): string =>
    opened(text).replace(/<office:binary-data>([^<]*)/g, (_, base64: string) =>
      Buffer.from(base64, 'base64').toString('latin1'),
    )

  test.each([
    ['a linked picture', '<drawing:image xlink:href="file:///secret"/>'],
    ['a linked sibling', '<drawing:image xlink:href="../secret.png"/>'],
    ['a link by another prefix', '<drawing:image xmlns:x="http://www.w3.org/1999/xlink" x:href="secret"/>'],
    ['a linked section', '<text:section><text:section-source xlink:href="secret"/></text:section>'],
    ['a linked table', '<table:table-source xlink:href="secret" table:table-name="secret"/>'],
    ['DDE', '<office:dde-source office:dde-application="secret"/>'],
    ['a formula of another file', `<table:table-cell table:formula="of:=['file:///secret'#$a.A1]"/>`],
    ['a web service', '<table:table-cell table:formula="of:=WEBSERVICE(&quot;secret&quot;)"/>'],
    ['a script', '<office:scripts><script:script>secret</script:script></office:scripts>'],
    ['a link to a file', '<text:a xlink:href="file:///secret">a</text:a>'],
    ['an embedded drawing', binary(`<svg ${XMLNS}><image href="file:///secret"/></svg>`)],
    ['an embedded document', binary('{\\rtf1 secret}')],
    ['an address in any attribute', '<drawing:fill-image drawing:any="file:///secret"/>'],
  ])('%s', (_name, content) => {
    const clean = openedBinary(odf(content))
    expect(clean).not.toMatch(/secret/)
    expect(clean).toContain('<text:p>words</text:p>')
  })

  test('text, links to websites and embedded pictures are kept', () => {
    const content = `<text:a xlink:href="https://example.org/?a=1&amp;b">c</text:a><text:a xlink:href="#d">e</text:a><drawing:image><office:binary-data>R0lGODlhAQ==</office:binary-data></drawing:image>`
    expect(odf(content)).toContain(content)
    expect(odf('')).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<office:document xmlns:xlink=/)
  })
})

const ODF_ROOT = 'a xmlns="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'

describe('elements within one another', () => {
  test.each([
    ['svg', createSvgCleaner, `svg ${XMLNS}`, 'g'],
    ['svg, left out', createSvgCleaner, `svg ${XMLNS}`, 'x'],
    ['flat odf', createFlatOdfCleaner, ODF_ROOT, 'b'],
    ['flat odf, left out', createFlatOdfCleaner, ODF_ROOT, 'script'],
    ['html', createHtmlCleaner, 'html', 'div'],
    ['html, left out', createHtmlCleaner, 'html', 'object'],
  ])('%s: 256 levels are read, more are refused at once', (_, createCleaner, root, name) => {
    const levels = (count: number) => `<${root}>${`<${name}>`.repeat(count)}`
    const end = `${`</${name}>`.repeat(255)}</${root.split(' ')[0]}>`
    const cleaner = createCleaner()
    expect(() => cleaner.write(`${levels(255)}${end}`) + cleaner.end()).not.toThrow()
    const took = computingTime(() =>
      expect(() => createCleaner().write(levels(40_000))).toThrow(
        'its elements are nested deeper than 256 levels',
      ),
    )
    expect(took).toBeLessThan(2_000)
  })

  test.each([
    ['svg', createSvgCleaner, `svg ${XMLNS}`, 'g'],
    ['flat odf', createFlatOdfCleaner, ODF_ROOT, 'b'],
    ['html', createHtmlCleaner, 'html', 'div'],
  ])('%s: a thousand attributes are read, more are refused at once', (_, createCleaner, root, name) => {
    const tag = (count: number) =>
      `<${root}><${name} ${Array.from({ length: count }, (__, index) => `a${index}=""`).join(' ')}>`
    const end = `</${name}></${root.split(' ')[0]}>`
    const cleaner = createCleaner()
    expect(() => cleaner.write(`${tag(1_000)}${end}`) + cleaner.end()).not.toThrow()
    expect(() => createCleaner().write(tag(1_001))).toThrow(
      'one of its elements has more than 1000 attributes',
    )
  })

  test('elements beside one another are no levels', () => {
    expect(svg('<g/>'.repeat(1_000))).toContain('</svg>')
    expect(html('<p>a<br>b<img src="c">'.repeat(1_000))).toContain('<p>a')
  })
})

describe('the kind of a file', () => {
  test.each([
    ['<svg xmlns="x"/>', 'svg'],
    ['\uFEFF <?xml version="1.0"?><!-- <html> --><!DOCTYPE svg [<!ENTITY a "]>">]><s:svg/>', 'svg'],
    ['<?xml version="1.0"?><!DOCTYPE a [ it\'s ]><svg/>', 'svg'],
    ['<!DOCTYPE html><title>a', 'html'],
    ['<img src=x>', 'html'],
    ['words <html> words', 'html'],
    ['<?xml version="1.0"?><office:document/>', 'odf'],
    ['<?xml version="1.0"?><w:wordDocument/>', 'other'],
    ['<ä:svg xmlns:ä="http://www.w3.org/2000/svg"/>', 'svg'],
    ['PK\u0003\u0004\0<html>', 'package'],
    ['{\\rtf1 words}', 'rtf'],
    ['GIF89a', 'picture'],
    ['\0\0\0\u001cftypavif', 'picture'],
    ['<!--ftypavif--><svg/>', 'svg'],
    ['words', 'other'],
  ])('%j is %s', (text, kind) => {
    expect(kindOf(Buffer.from(text))).toBe(kind)
  })

  test.each([
    ['a comment', `<?xml version="1.0"?><!--${' '.repeat(HEAD_BYTES)}--><svg/>`],
    ['blanks', `${' '.repeat(HEAD_BYTES)}<svg/>`],
    ['entities', `<?xml version="1.0"?><!DOCTYPE svg [${'<!ENTITY a "b">'.repeat(5_000)}]><svg/>`],
  ])('a prolog that ends too late is one: %s', (_, text) => {
    expect(kindOf(Buffer.from(text).subarray(0, HEAD_BYTES))).toBe('longProlog')
  })

  test('binary Office is known by its first bytes', () => {
    expect(kindOf(Buffer.from('d0cf11e0a1b11ae10000', 'hex'))).toBe('binaryOffice')
  })

  test('UTF-16 is read with and without a byte order mark', () => {
    for (const text of ['<svg/>', '\uFEFF<svg/>']) {
      const bytes = Buffer.from(text, 'utf16le')
      expect([kindOf(bytes), charsetOf(bytes)]).toEqual(['svg', 'utf-16le'])
    }
  })

  test.each([
    ['<?xml version="1.0" encoding="ISO-8859-1"?><svg/>', 'ISO-8859-1'],
    ['<html><meta charset=windows-1252>', 'windows-1252'],
    ['<html>', 'utf-8'],
  ])('the charset of %s is %s', (text, charset) => {
    expect(charsetOf(Buffer.from(text))).toBe(charset)
  })
})
