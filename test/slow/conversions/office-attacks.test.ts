import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTools } from '../../../core/files/conversions/index.js'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { zipOf } from '../../../core/platform/archives/index.js'
import { openWorkshop, pdfText, run, type Workshop } from '../../integration/support/conversions-support.js'

/** Office documents with macros, and with links that lead out of them. */

const NONE = '/no/such/program'
const kinds = [
  ['bubblewrap', {}],
  ['none', { bwrap: NONE, unshare: NONE }],
] as const

const permitted: (typeof kinds)[number][] = []
for (const entry of kinds) {
  const { kind } = await createTools({ path: process.env.PATH ?? '', commands: entry[1] }).sandbox()
  if (kind === entry[0]) permitted.push(entry)
}

let hits = 0
const server = createServer((_request, response) => {
  hits += 1
  response.end('TOPSECRET')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const far = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

const folder = await mkdtemp(join(tmpdir(), 'archivolt-office-attacks-'))
const [picture, text, ran] = ['picture.png', 'secret.csv', 'macro-ran'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
beforeAll(async () => {
  await sharp({ create: { width: 77, height: 33, channels: 3, background: 'red' } }).toFile(picture)
  await writeFile(text, 'TOPSECRET,1\n')
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, maxRetries: 5 })
})

const zipped = (files: { [name: string]: string }): Promise<Buffer> =>
  buffer(
    zipOf(
      Object.entries(files).map(([name, content]) => ({
        ...{ name, length: Buffer.byteLength(content) },
        open: () => Readable.from([Buffer.from(content)]),
      })),
    ),
  )

const URN = 'urn:oasis:names:tc:opendocument:xmlns'
const NAMESPACES = `${['office', 'text', 'table', 'script']
  .map((name) => `xmlns:${name}="${URN}:${name}:1.0"`)
  .join(
    ' ',
  )} xmlns:of="${URN}:of:1.2" xmlns:dom="http://www.w3.org/2001/xml-events" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ooo="http://openoffice.org/2004/office"`

const BASIC = `Sub Pwn
  Dim number as Integer
  number = FreeFile
  Open "${ran}" For Output As #number
  Print #number, "ran"
  Close #number
End Sub`

const library = (what: string) =>
  `<?xml version="1.0"?><!DOCTYPE library:${what} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "${what}.dtd">`
const LIBRARY =
  'xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"'

/** An OpenDocument with a macro that its loading calls. */
const withMacro = (kind: 'text' | 'spreadsheet', body: string): Promise<Buffer> => {
  const type = `application/vnd.oasis.opendocument.${kind}`
  const listener = `<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script"
    script:event-name="dom:load" xlink:type="simple"
    xlink:href="vnd.sun.star.script:Standard.Module1.Pwn?language=Basic&amp;location=document"/></office:event-listeners></office:scripts>`
  const files = {
    'content.xml': `<office:document-content ${NAMESPACES} office:version="1.2">${listener}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'Basic/script-lc.xml': `${library('libraries')}<library:libraries ${LIBRARY}><library:library library:name="Standard" library:link="false"/></library:libraries>`,
    'Basic/Standard/script-lb.xml': `${library('library')}<library:library ${LIBRARY} library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>`,
    'Basic/Standard/Module1.xml': `<?xml version="1.0"?><!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd"><script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">${BASIC.replaceAll('"', '&quot;')}</script:module>`,
  }
  const entries = ['/', ...Object.keys(files)].map(
    (path) =>
      `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${path === '/' ? type : 'text/xml'}"/>`,
  )
  const manifest = `<manifest:manifest xmlns:manifest="${URN}:manifest:1.0" manifest:version="1.2">${entries.join('')}</manifest:manifest>`
  return zipped({ mimetype: type, ...files, 'META-INF/manifest.xml': manifest })
}

const WORDS = '<text:p>words</text:p>'
const cell = (formula: string) => `<table:table-cell table:formula="${formula}" office:value-type="string"/>`
const table = (cells: string) =>
  `<table:table table:name="Sheet1"><table:table-row><table:table-cell office:value-type="string">${WORDS}</table:table-cell>${cells}</table:table-row></table:table>`

const PACKAGE = 'http://schemas.openxmlformats.org'
const OFFICE = `${PACKAGE}/officeDocument/2006/relationships`
const relations = (items: readonly string[]) =>
  `<Relationships xmlns="${PACKAGE}/package/2006/relationships">${items.join('')}</Relationships>`
const relation = (
  id: string,
  { type, target, isFar = true }: { type: string; target: string; isFar?: boolean },
) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${isFar ? ' TargetMode="External"' : ''}/>`

/** A Word document that links to pictures, a template and a text. */
const linkingDocx = (): Promise<Buffer> => {
  const drawing = (
    id: string,
  ) => `<w:r><w:drawing><wp:inline><wp:extent cx="990000" cy="990000"/><wp:docPr id="1" name="a"/>
    <a:graphic><a:graphicData uri="${PACKAGE}/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="a"/><pic:cNvPicPr/></pic:nvPicPr>
    <pic:blipFill><a:blip r:link="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="990000" cy="990000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
  const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> INCLUDETEXT "${text}" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>field</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
  const document = `<w:document xmlns:w="${PACKAGE}/wordprocessingml/2006/main" xmlns:r="${OFFICE}" xmlns:a="${PACKAGE}/drawingml/2006/main"
    xmlns:wp="${PACKAGE}/drawingml/2006/wordprocessingDrawing" xmlns:pic="${PACKAGE}/drawingml/2006/picture"><w:body><w:p><w:r><w:t>words</w:t></w:r>${drawing('p1')}${drawing('p2')}${field}</w:p></w:body></w:document>`
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
  return zipped({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}.document.main+xml"/><Override PartName="/word/settings.xml" ContentType="${main}.settings+xml"/></Types>`,
    '_rels/.rels': relations([
      relation('r1', { type: 'officeDocument', target: 'word/document.xml', isFar: false }),
    ]),
    'word/document.xml': document,
    'word/_rels/document.xml.rels': relations([
      relation('p1', { type: 'image', target: `file://${picture}` }),
      relation('p2', { type: 'image', target: `${far}/picture.png` }),
      relation('s1', { type: 'settings', target: 'settings.xml', isFar: false }),
    ]),
    'word/settings.xml': `<w:settings xmlns:w="${PACKAGE}/wordprocessingml/2006/main" xmlns:r="${OFFICE}"><w:attachedTemplate r:id="t1"/></w:settings>`,
    'word/_rels/settings.xml.rels': relations([
      relation('t1', { type: 'attachedTemplate', target: `${far}/a.dotm` }),
    ]),
  })
}

/** A workbook whose macro sheet of the older kind runs a program when it is opened. */
const macroXlsm = (): Promise<Buffer> => {
  const sheet = (cells: string) =>
    `<worksheet xmlns="${PACKAGE}/spreadsheetml/2006/main"><sheetData><row r="1">${cells}</row></sheetData></worksheet>`
  const types = 'application/vnd.ms-excel'
  return zipped({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.macroEnabled.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/macrosheets/sheet2.xml" ContentType="${types}.macrosheet+xml"/></Types>`,
    '_rels/.rels': relations([
      relation('r1', { type: 'officeDocument', target: 'xl/workbook.xml', isFar: false }),
    ]),
    'xl/workbook.xml': `<workbook xmlns="${PACKAGE}/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="s1"/><sheet name="M" sheetId="2" r:id="s2"/></sheets><definedNames><definedName name="_xlnm.Auto_Open">M!$A$1</definedName></definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      relation('s1', { type: 'worksheet', target: 'worksheets/sheet1.xml', isFar: false }),
      `<Relationship Id="s2" Type="http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet" Target="macrosheets/sheet2.xml"/>`,
    ]),
    'xl/worksheets/sheet1.xml': sheet('<c r="A1" t="inlineStr"><is><t>words</t></is></c>'),
    'xl/macrosheets/sheet2.xml': `<xm:macrosheet xmlns="${PACKAGE}/spreadsheetml/2006/main" xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><sheetData><row r="1"><c r="A1"><f>EXEC("touch ${ran}")</f></c></row></sheetData></xm:macrosheet>`,
  })
}

/** Opens a document as LibreOffice does for who trusts it, and runs the macro that it names for its loading. */
const OPEN_TRUSTING = `
import subprocess, sys, time, uno
from com.sun.star.beans import PropertyValue
soffice, profile, path = sys.argv[1:4]
subprocess.Popen([soffice, "--headless", "--norestore", "--nologo", "-env:UserInstallation=file://" + profile, "--accept=pipe,name=trusting;urp;StarOffice.ComponentContext"])
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
for _ in range(1200):
    try:
        context = resolver.resolve("uno:pipe,name=trusting;urp;StarOffice.ComponentContext")
        break
    except Exception:
        time.sleep(0.05)
desktop = context.ServiceManager.createInstance("com.sun.star.frame.Desktop")
values = tuple(PropertyValue(name, 0, value, 0) for name, value in {"Hidden": True, "MacroExecutionMode": 4}.items())
document = desktop.loadComponentFromURL("file://" + path, "_blank", 0, values)
bound = {value.Name: value.Value for value in document.Events.getByName("OnLoad")}
document.getScriptProvider().getScript(bound["Script"]).invoke((), (), ())
time.sleep(600)
`

test('the macro that the samples name for their loading is one that runs where it is trusted', async () => {
  const tools = createTools({ path: process.env.PATH ?? '' })
  const path = join(folder, 'trusted.odt')
  await writeFile(path, await withMacro('text', WORDS))
  const pythons = await Promise.all(
    tools.findAll('python3').map((python) =>
      run(python, ['-c', 'import uno']).then(
        () => [python],
        () => [],
      ),
    ),
  )
  const [python] = pythons.flat()
  const args = ['-c', OPEN_TRUSTING, tools.find('soffice') ?? '', join(folder, 'profile'), path]
  const child = spawn(python ?? 'python3', args, { detached: true, stdio: 'ignore' })
  try {
    await expect.poll(() => existsSync(ran), { timeout: 60_000 }).toBe(true)
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await rm(ran, { force: true })
  }
})

describe.each(permitted)('with the sandbox %s', (_kind, commands) => {
  let workshop: Workshop
  beforeAll(async () => {
    workshop = await openWorkshop({ commands, officeInstances: 1 })
  })
  afterAll(() => workshop.close())

  const shownIn = async (source: BlobValue): Promise<string> => {
    const pdf = await workshop.conversions.convert({ source, format: 'pdf' })
    const { stdout } = await workshop.withFile(pdf, (path) => run('pdfimages', ['-list', path]))
    return stdout + (await pdfText(workshop, pdf))
  }

  test.each([
    ['a.odt', () => withMacro('text', WORDS)],
    ['a.ods', () => withMacro('spreadsheet', table(''))],
    ['a.xlsm', macroXlsm],
  ])('the macro of %s does nothing', async (name, make) => {
    expect(await shownIn(await workshop.blob(name, await make()))).toContain('words')
    expect(existsSync(ran)).toBe(false)
  })

  test.each([
    ['a Word document links to', 'a.docx', linkingDocx],
    [
      'a sheet names',
      'b.ods',
      () =>
        withMacro(
          'spreadsheet',
          table(cell(`of:='file://${text}'#$secret.A1`) + cell(`of:=WEBSERVICE(&quot;${far}/a&quot;)`)),
        ),
    ],
  ])('no file and no server is asked for what %s', async (_what, name, make) => {
    const shown = await shownIn(await workshop.blob(name, await make()))
    expect(shown).toContain('words')
    expect(shown).not.toMatch(/\s77\s+33\s|TOPSECRET/)
    expect(hits).toBe(0)
  })
})
