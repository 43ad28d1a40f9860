import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import Nuxeo from 'nuxeo'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { conversionAttempts } from '../../support/conversion-attempts.js'
import { pngBomb } from '../support/png-bomb.js'
import { createWire, refusalOf, WORKSPACES } from '../support/wire-support.js'

const { client, newUser } = await createWire()
const nuxeo = client()
let file: Nuxeo.Document

beforeAll(async () => {
  file = await nuxeo.repository().create(WORKSPACES, {
    type: 'File',
    name: 'convert',
    properties: {
      'file:content': { name: 'foo.txt', 'mime-type': 'text/plain', data: 'foo' },
      'files:files': [{ file: { name: 'bar.txt', 'mime-type': 'text/plain', data: 'bar' } }],
    },
  })
})

describe('convert', () => {
  test.each<[Nuxeo.Conversion, string]>([
    [{ format: 'html' }, 'foo'],
    [{ type: 'text/html' }, 'foo'],
    [{ converter: 'office2html' }, 'foo'],
    [{ xpath: 'file:content', type: 'text/html' }, 'foo'],
    [{ xpath: 'files:files/0/file', format: 'html' }, 'bar'],
  ])('by %j', async (conversion, content) => {
    const answer = await file.convert(conversion)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    const text = await answer.text()
    expect(text).toMatch(/<html/i)
    expect(text).toContain(content)
  })

  test('to a PDF', async () => {
    const answer = await file.convert({ type: 'application/pdf' })
    expect(answer.headers.get('content-disposition')).toContain('foo.pdf')
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  test.each<[string, () => Promise<unknown>, number, RegExp]>([
    ['without a target', () => file.convert({}), 400, /No converter, type or format/],
    [
      'of what is not there',
      () => file.convert({ xpath: 'files:files/7/file', format: 'html' }),
      400,
      /files:files\/7\/file/,
    ],
    [
      'by a converter that is not there',
      () => file.convert({ converter: 'nothing' }),
      400,
      /^converter: .*is not registered/,
    ],
    ['to what no converter makes', () => file.convert({ type: 'video/mp4' }), 415, /No converters available/],
  ])('%s is refused', async (_case, call, expected, message) => {
    const { status, entity } = await refusalOf(call())
    expect([status, entity['entity-type']]).toEqual([expected, 'exception'])
    expect(entity.message).toMatch(message)
  })
})

describe('scheduleConversion', () => {
  type State = { 'entity-type': string; conversionId: string; status: string; resultURL: string }

  const untilCompleted = async (scheduled: Nuxeo.Scheduled, by = nuxeo): Promise<State> => {
    for (;;) {
      const state = await by.http<State>({ url: scheduled.pollingURL })
      if (state.status === 'completed') return state
      expect(state).toMatchObject({ 'entity-type': 'conversionStatus', status: /^(scheduled|running)$/ })
      await sleep(50)
    }
  }

  test.each<Nuxeo.Conversion>([
    { format: 'html' },
    { type: 'text/html' },
    { converter: 'office2html' },
    { xpath: 'files:files/0/file', format: 'pdf' },
  ])('by %j is polled for until its result is there', async (conversion) => {
    const scheduled = await file.scheduleConversion(conversion)
    expect(scheduled).toMatchObject({
      'entity-type': 'conversionScheduled',
      conversionId: expect.any(String),
    })
    const { conversionId, resultURL } = await untilCompleted(scheduled)
    expect([conversionId, resultURL]).toEqual([scheduled.conversionId, scheduled.resultURL])
    for (const _time of [1, 2]) {
      const result = await nuxeo.http<Nuxeo.Answer>({ url: resultURL })
      expect(result.headers.get('content-disposition')).toMatch(/(foo\.html|bar\.pdf)/)
      expect((await result.arrayBuffer()).byteLength).toBeGreaterThan(0)
    }
  })

  test('with nothing asked for is a PDF', async () => {
    const scheduled = await nuxeo
      .request(`id/${file.uid}/@convert`)
      .queryParams({ async: true })
      .post<Nuxeo.Scheduled>()
    expect(scheduled).toMatchObject({ 'entity-type': 'conversionScheduled' })
    const state = () => nuxeo.request('conversions').path(scheduled.conversionId).path('poll').get<State>()
    while ((await state()).status !== 'completed') await sleep(50)
    const answer = await nuxeo.http<Nuxeo.Answer>({ url: scheduled.resultURL })
    expect(answer.headers.get('content-disposition')).toContain('foo.pdf')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('is found by its id below the root of the API', async () => {
    const { conversionId } = await file.scheduleConversion({ format: 'html' })
    const state = () => nuxeo.request('conversions').path(conversionId).path('poll').get<State>()
    while ((await state()).status !== 'completed') await sleep(50)
    const result = await nuxeo.request('conversions').path(conversionId).path('result').get<Nuxeo.Answer>()
    expect(await result.text()).toContain('foo')
  })

  test('that fails says why', async () => {
    const scheduled = await file.scheduleConversion({ converter: 'nothing' })
    const { status, entity } = await refusalOf(untilCompleted(scheduled))
    expect(status).toBe(422)
    expect(entity).toMatchObject({
      code: 'conversionFailed',
      message: expect.stringMatching(/failed: .*nothing/),
    })
  })

  test('that its file makes impossible is tried once', async () => {
    const bomb = await nuxeo.repository().create(WORKSPACES, { type: 'File', name: 'bomb' })
    const blob = new Nuxeo.Blob({
      content: pngBomb(16_000),
      name: 'bomb.png',
      mimeType: 'image/png',
    })
    await nuxeo.operation('Blob.AttachOnDocument').param('document', bomb.uid).input(blob).execute()
    const scheduled = await bomb.scheduleConversion({ format: 'avif' })
    const { status, entity } = await refusalOf(untilCompleted(scheduled))
    expect([status, entity.message]).toEqual([
      422,
      expect.stringContaining('too large: 16000 x 16000 pixels'),
    ])
    const connection = await Connection.connect({ address: inject('temporalAddress') })
    const handle = new Client({ connection }).workflow.getHandle(`conversion-${scheduled.conversionId}`)
    const attempts = conversionAttempts(await handle.fetchHistory())
    expect(attempts).toEqual([1])
    await connection.close()
  })

  test('of a small file is done in the first workflow task of its run', async () => {
    // The first one may wait for its program to start.
    await untilCompleted(await file.scheduleConversion({ format: 'html' }))
    const { conversionId } = await file.scheduleConversion({ format: 'html' })
    const connection = await Connection.connect({ address: inject('temporalAddress') })
    const handle = new Client({ connection }).workflow.getHandle(`conversion-${conversionId}`)
    await handle.result()
    const { events } = await handle.fetchHistory()
    // Start, one task, the conversion, end: each further task and an activity cost three events.
    expect(events).toHaveLength(6)
    await connection.close()
  })

  test('that has expired is there no more, neither its state nor its result', async () => {
    const scheduled = await file.scheduleConversion({ format: 'html' })
    const { resultURL } = await untilCompleted(scheduled)
    const connection = await Connection.connect({ address: inject('temporalAddress') })
    // Temporal does the same when the retention of its namespace is over.
    await connection.workflowService.deleteWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: `conversion-${scheduled.conversionId}` },
    })
    await connection.close()
    const message = `Conversion ${scheduled.conversionId} does not exist`
    // Temporal deletes it some time after it has answered.
    for (const url of [scheduled.pollingURL, resultURL])
      await expect
        .poll(() => refusalOf(nuxeo.http({ url })))
        .toMatchObject({ status: 404, entity: { message } })
  })

  test('is nobody else’s, and an unknown one is not there', async () => {
    const scheduled = await file.scheduleConversion({ format: 'html' })
    const ann = await newUser('ann', ['members'])
    expect((await refusalOf(ann.http({ url: scheduled.pollingURL }))).status).toBe(404)
    expect((await refusalOf(nuxeo.request('conversions/nothing/poll').get())).status).toBe(404)
    expect((await refusalOf(nuxeo.request('conversions/nothing/result').get())).status).toBe(404)
  })
})

describe('operations', () => {
  test('convert a document or a file', async () => {
    const pdf = await nuxeo.operation('Blob.ToPDF').input(file).execute<Nuxeo.Answer>()
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    const html = await nuxeo
      .operation('Blob.Convert')
      .input(file)
      .param('mimeType', 'text/html')
      .execute<Nuxeo.Answer>()
    expect(await html.text()).toContain('foo')
  })
})
