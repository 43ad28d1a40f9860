import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { openWorkshop, pdfText, type Workshop } from '../support/conversions-support.js'

let workshop: Workshop

beforeAll(async () => {
  workshop = await openWorkshop()
})

afterAll(() => workshop.close())

const convert = (source: BlobValue, target: { converter?: string; type?: string; format?: string }) =>
  workshop.conversions.convert({ source, ...target })

const letter = () => workshop.blob('letter.txt', 'Grüße aus <Zürich>\nsecond line\n')

/** An office file made by LibreOffice from plain text, as a user would have made it. */
const officeFile = async (format: string): Promise<BlobValue> => {
  if (format === 'xlsx' || format === 'ods')
    return convert(await workshop.blob('table.csv', 'name,amount\nWürfel,12\nKugel,7\n'), { format })
  if (format === 'pptx' || format === 'odp') return convert(await slides(), { format })
  return convert(await letter(), { format })
}

const slides = () =>
  workshop.blob(
    'talk.odp',
    `<?xml version="1.0"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
  xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"
  office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation>
  <draw:page draw:name="one"><draw:frame svg:width="10cm" svg:height="3cm" svg:x="1cm" svg:y="1cm">
  <draw:text-box><text:p>Folie mit Wörtern</text:p></draw:text-box></draw:frame></draw:page>
</office:presentation></office:body></office:document>`,
  )

describe('to pdf', () => {
  test.each([
    ['docx', 'letter.pdf', 'Grüße aus <Zürich>'],
    ['odt', 'letter.pdf', 'Grüße aus <Zürich>'],
    ['xlsx', 'table.pdf', 'Würfel'],
    ['ods', 'table.pdf', 'Würfel'],
    ['pptx', 'talk.pdf', 'Folie mit Wörtern'],
    ['odp', 'talk.pdf', 'Folie mit Wörtern'],
  ])('%s', async (format, name, words) => {
    const source = await officeFile(format)
    expect(source.name?.endsWith(`.${format}`)).toBe(true)
    const pdf = await convert(source, { converter: 'any2pdf' })
    expect([pdf.name, pdf['mime-type']]).toEqual([name, 'application/pdf'])
    expect(await pdfText(workshop, pdf)).toContain(words)
  })

  test('text, html and csv by format', async () => {
    const html = await workshop.blob('page.html', '<html><body><h1>&Uuml;berschrift</h1></body></html>')
    const csv = await workshop.blob('table.csv', 'a,b\nfirst cell,2\n')
    expect(await pdfText(workshop, await convert(await letter(), { format: 'pdf' }))).toContain('second line')
    expect(await pdfText(workshop, await convert(html, { type: 'application/pdf' }))).toContain('Überschrift')
    expect(await pdfText(workshop, await convert(csv, { format: 'pdf' }))).toContain('first cell')
  })

  test('text of another charset', async () => {
    const latin = await workshop.blob('latin.txt', Buffer.from('caf\xe9', 'latin1'), 'ISO-8859-1')
    expect(await pdfText(workshop, await convert(latin, { format: 'pdf' }))).toContain('café')
  })

  test('a pdf is given back as it is', async () => {
    const pdf = await convert(await letter(), { format: 'pdf' })
    expect(await convert(pdf, { converter: 'any2pdf' })).toEqual(pdf)
  })
})

describe('to html', () => {
  test.each([
    ['plain text by format', 'txt', { format: 'html' }, 'Grüße aus &lt;Zürich&gt;'],
    ['plain text by type', 'txt', { type: 'text/html' }, 'second line'],
    ['plain text by name', 'txt', { converter: 'office2html' }, 'second line'],
    ['a word document', 'docx', { converter: 'office2html' }, 'second line'],
    ['a sheet', 'xlsx', { format: 'html' }, 'Kugel'],
    ['slides', 'pptx', { converter: 'any2html' }, 'Folie mit Wörtern'],
    ['slides by the name that clients know', 'odp', { converter: 'office2html' }, 'Folie mit Wörtern'],
    ['a pdf', 'pdf', { format: 'html' }, 'second'],
  ])('%s', async (_case, format, target, words) => {
    const source = format === 'txt' ? await letter() : await officeFile(format)
    const page = await convert(source, target)
    const html = (await workshop.read(page)).toString('utf8')
    expect([page['mime-type'], page.encoding]).toEqual(['text/html', 'UTF-8'])
    expect(html).toContain('<html')
    expect(html.replaceAll('&#160;', ' ').replaceAll('&uuml;', 'ü').replaceAll('&szlig;', 'ß')).toContain(
      words,
    )
  })
})

describe('to text', () => {
  test.each([
    ['docx', 'Grüße aus <Zürich>\nsecond line\n'],
    ['odt', 'Grüße aus <Zürich>\nsecond line\n'],
    ['xlsx', 'name\tamount\nWürfel\t12\nKugel\t7\n'],
  ])('%s keeps every word', async (format, text) => {
    const result = await convert(await officeFile(format), { converter: 'any2text' })
    expect(result['mime-type']).toBe('text/plain')
    expect((await workshop.read(result)).toString('utf8').trim()).toBe(text.trim())
  })

  test.each([
    ['pptx', 'Folie mit Wörtern'],
    ['pdf', 'Grüße aus <Zürich>'],
  ])('%s', async (format, words) => {
    const result = await convert(await officeFile(format), { format: 'txt' })
    expect((await workshop.read(result)).toString('utf8')).toContain(words)
  })

  test('every sheet of a workbook', async () => {
    const cell = (text: string) =>
      `<table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row>`
    const book = await workshop.blob(
      'book.ods',
      `<?xml version="1.0"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"
  office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>
  <table:table table:name="Last/one">${cell('first sheet')}</table:table>
  <table:table table:name="A">${cell('second sheet')}</table:table>
</office:spreadsheet></office:body></office:document>`,
    )
    const text = await workshop.read(await convert(book, { format: 'txt' }))
    expect(text.toString('utf8')).toBe('first sheet\nsecond sheet\n')
  })

  test('text of another charset becomes UTF-8', async () => {
    const latin = await workshop.blob('latin.txt', Buffer.from('caf\xe9', 'latin1'), 'windows-1252')
    const result = await convert(latin, { converter: 'any2text' })
    expect([(await workshop.read(result)).toString('utf8'), result.encoding]).toEqual(['café', 'UTF-8'])
  })
})

describe('what cannot be', () => {
  test.each<[string, string, Buffer, object, number?]>([
    [
      'a file that is no document',
      'broken.docx',
      Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0]),
      { format: 'pdf' },
    ],
    ['a file that is no pdf', 'broken.pdf', Buffer.from('no pdf'), { format: 'txt' }],
    ['a film as text', 'a.mp4', Buffer.from('x'), { converter: 'any2text' }, 415],
    ['an unknown converter', 'a.txt', Buffer.from('x'), { converter: 'magic' }, 400],
  ])('%s', async (_case, name, content, target, status = 422) => {
    const source = await workshop.blob(name, content)
    const failure = await convert(source, target).catch((error: unknown) => error)
    expect(failure).toMatchObject({ status, retryable: false })
    expect(String(failure)).not.toContain(workshop.tempFolder)
  })

  test('a blob that the store does not have', async () => {
    const source = { ...(await letter()), key: 'e'.repeat(64) }
    await expect(convert(source, { format: 'html' })).rejects.toMatchObject({ status: 404 })
  })
})
