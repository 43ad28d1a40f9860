import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, describe, expect, test } from 'vitest'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { openWorkshop, pdfText, run, type Workshop } from '../../integration/support/conversions-support.js'

const opened: Workshop[] = []

const open = async (options: Parameters<typeof openWorkshop>[0] = {}): Promise<Workshop> => {
  const workshop = await openWorkshop(options)
  opened.push(workshop)
  return workshop
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((workshop) => workshop.close()))
})

const offices = async (workshop: Workshop) =>
  (await workshop.processes()).filter(({ commandLine }) => commandLine.includes('soffice.bin'))

/** A killed process is gone from the list a moment after the signal. */
const expectNoProcesses = (workshop: Workshop) => expect.poll(() => workshop.processes()).toEqual([])

/** Keeps LibreOffice busy for a minute. */
const hugeText = (workshop: Workshop): Promise<BlobValue> =>
  workshop.blob('huge.txt', 'all work and no play makes a long document\n'.repeat(1_000_000))

const letter = (workshop: Workshop) => workshop.blob('letter.txt', 'a short letter')

const toPdf = (workshop: Workshop, source: BlobValue, signal?: AbortSignal) =>
  workshop.conversions.convert({ source, converter: 'any2pdf', signal })

describe('a missing program', () => {
  test('is reported with its package, and leaves the other converters alone', async () => {
    const workshop = await open({ path: '' })
    const source = await letter(workshop)
    const statuses = workshop.registry.list()
    const missingOf = (name: string) => statuses.find((status) => status.name === name)?.missing
    expect(missingOf('any2pdf')).toEqual(['soffice (Debian package libreoffice-nogui)'])
    expect(missingOf('pdf2text')).toEqual(['pdftotext (Debian package poppler-utils)'])
    expect(missingOf('convertToMP4')).toEqual([
      'ffmpeg (Debian package ffmpeg)',
      'ffprobe (Debian package ffmpeg)',
    ])
    expect(missingOf('pictureResize')).toEqual([])
    await expect(toPdf(workshop, source)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/is not available.*Debian package libreoffice-nogui/),
    })
    const html = await workshop.conversions.convert({ source, format: 'html' })
    expect((await workshop.read(html)).toString()).toContain('a short letter')
  })

  test('without a Python that has uno, each document gets a LibreOffice of its own', async () => {
    const workshop = await open({ commands: { python3: '/no/such/python' } })
    const pdf = await toPdf(workshop, await letter(workshop))
    expect(await pdfText(workshop, pdf)).toContain('a short letter')
    const docx = await workshop.conversions.convert({ source: await letter(workshop), format: 'docx' })
    const text = await workshop.conversions.convert({ source: docx, format: 'txt' })
    expect((await workshop.read(text)).toString('utf8').trim()).toBe('a short letter')
    await expectNoProcesses(workshop)
  })
})

describe('an abort', () => {
  test('in the middle of a document kills LibreOffice and all that it started', async () => {
    const workshop = await open({ officeInstances: 1 })
    const controller = new AbortController()
    const aborted = toPdf(workshop, await hugeText(workshop), controller.signal)
    await expect.poll(() => offices(workshop)).not.toEqual([])
    setTimeout(() => controller.abort(new Error('cancelled')), 1500)
    await expect(aborted).rejects.toThrow('cancelled')
    await expectNoProcesses(workshop)
    expect(await readdir(workshop.tempFolder)).toEqual([])
    expect(await pdfText(workshop, await toPdf(workshop, await letter(workshop)))).toContain('a short letter')
  })

  test('while waiting for a LibreOffice leaves the one that runs alone', async () => {
    const workshop = await open({ officeInstances: 1 })
    const source = await letter(workshop)
    const first = toPdf(workshop, source)
    const second = toPdf(workshop, source, AbortSignal.timeout(20))
    await expect(second).rejects.toMatchObject({ name: 'TimeoutError' })
    expect((await first).name).toBe('letter.pdf')
  })

  test('in the middle of a film kills ffmpeg', async () => {
    const workshop = await open()
    const folder = await mkdtemp(join(tmpdir(), 'archivolt-film-'))
    const path = join(folder, 'long.mkv')
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=duration=20:size=1280x720:rate=25',
      '-c:v',
      'mpeg4',
      path,
    ])
    const source = await workshop.blob('long.mkv', await readFile(path))
    await rm(folder, { recursive: true })
    const controller = new AbortController()
    const aborted = workshop.conversions.convert({ source, format: 'webm', signal: controller.signal })
    const isRunning = async () =>
      (await workshop.processes()).some(({ commandLine }) => commandLine.includes('libvpx'))
    await expect.poll(isRunning).toBe(true)
    controller.abort(new Error('cancelled'))
    await expect(aborted).rejects.toThrow('cancelled')
    await expectNoProcesses(workshop)
    expect(await readdir(workshop.tempFolder)).toEqual([])
  })

  test('before the start runs nothing', async () => {
    const workshop = await open()
    await expect(
      toPdf(workshop, await letter(workshop), AbortSignal.abort(new Error('late'))),
    ).rejects.toThrow('late')
    expect(await workshop.processes()).toEqual([])
  })
})

describe('LibreOffice', () => {
  test('a document that takes too long fails for good, and the next one is converted', async () => {
    const usual = await open({ officeInstances: 1 })
    await toPdf(usual, await letter(usual))
    const began = performance.now()
    await toPdf(usual, await letter(usual))
    const timeoutMs = 4_000 + 10 * (performance.now() - began)
    const workshop = await open({ officeInstances: 1, timeoutMs })
    await expect(toPdf(workshop, await hugeText(workshop))).rejects.toMatchObject({
      status: 504,
      retryable: false,
    })
    await expectNoProcesses(workshop)
    expect((await toPdf(workshop, await letter(workshop))).name).toBe('letter.pdf')
  })

  test('one that was killed is replaced without the caller noticing', async () => {
    const workshop = await open({ officeInstances: 1 })
    const source = await letter(workshop)
    await toPdf(workshop, source)
    for (const { id } of await offices(workshop)) process.kill(id, 'SIGKILL')
    expect((await toPdf(workshop, source)).name).toBe('letter.pdf')
  })

  test('is replaced after its share of documents', async () => {
    const workshop = await open({ officeInstances: 1, officeRecycleAfter: 2 })
    const source = await letter(workshop)
    await toPdf(workshop, source)
    expect(await offices(workshop)).toHaveLength(1)
    await toPdf(workshop, source)
    await expectNoProcesses(workshop)
    expect((await toPdf(workshop, source)).name).toBe('letter.pdf')
  })

  test('converts several documents at once, each to its own result', async () => {
    const workshop = await open()
    const texts = Array.from({ length: 12 }, (_, index) => `document number ${index} of twelve`)
    const pdfs = await Promise.all(
      texts.map(async (text) => toPdf(workshop, await workshop.blob('a.txt', text))),
    )
    for (const [index, pdf] of pdfs.entries()) expect(await pdfText(workshop, pdf)).toContain(texts[index])
    expect(await offices(workshop)).toHaveLength(2)
  })

  test('closing ends what runs and what waits', async () => {
    const workshop = await open({ officeInstances: 1 })
    const running = toPdf(workshop, await hugeText(workshop))
    const waiting = toPdf(workshop, await letter(workshop))
    const outcomes = Promise.allSettled([running, waiting])
    await expect.poll(() => workshop.processes()).not.toEqual([])
    await workshop.conversions.close()
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
    await expectNoProcesses(workshop)
    await expect(toPdf(workshop, await letter(workshop))).rejects.toThrow('being closed')
  })
})

test('what a killed process left is removed, what a living one uses is not', async () => {
  const workshop = await open()
  // Larger than the kernel gives out.
  const nobody = 2 ** 22 + 1
  const names = [`archivolt-${nobody}-abcdef`, `archivolt-${process.pid}-abcdef`, 'of-somebody-else']
  await Promise.all(
    names.map((name) => mkdir(join(workshop.tempFolder, name, 'profile'), { recursive: true })),
  )
  await workshop.conversions.convert({ source: await letter(workshop), format: 'html' })
  expect((await readdir(workshop.tempFolder)).sort()).toEqual(names.slice(1).sort())
})

test('a hostile document reaches neither the network nor other files', async () => {
  const workshop = await open()
  let hits = 0
  const server = createServer((_request, response) => {
    hits += 1
    response.end('x')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const secret = join(tmpdir(), `archivolt-secret-${port}.txt`)
  await writeFile(secret, 'the secret of the server')
  const picture = `${secret}.png`
  await sharp({ create: { width: 77, height: 33, channels: 3, background: 'red' } }).toFile(picture)

  const html = await workshop.blob(
    'page.html',
    `<html><body><p>words</p><img src="http://127.0.0.1:${port}/a.png"><iframe src="file://${secret}"></iframe>
     <img src="file://${picture}">
     <link rel="stylesheet" href="http://127.0.0.1:${port}/a.css"></body></html>`,
  )
  const linked = await workshop.blob(
    'linked.odt',
    `<?xml version="1.0"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"
  xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"
  office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>
  <text:p>words</text:p>
  <text:p><draw:frame svg:width="2cm" svg:height="2cm"><draw:image xlink:href="http://127.0.0.1:${port}/b.png"/></draw:frame></text:p>
  <text:p><draw:frame svg:width="2cm" svg:height="2cm"><draw:image xlink:href="file://${picture}"/></draw:frame></text:p>
  <text:section text:name="s"><text:section-source xlink:href="file://${secret}"/><text:p>old</text:p></text:section>
</office:text></office:body></office:document>`,
  )
  for (const source of [html, linked]) {
    const pdf = await toPdf(workshop, source)
    const text = await pdfText(workshop, pdf)
    expect(text).toContain('words')
    expect(text).not.toContain('secret')
    const { stdout } = await workshop.withFile(pdf, (path) => run('pdfimages', ['-list', path]))
    expect(stdout).not.toMatch(/\s77\s+33\s/)
  }
  expect(hits).toBe(0)
  await new Promise((resolve) => server.close(resolve))
  await Promise.all([rm(secret), rm(picture)])
})
