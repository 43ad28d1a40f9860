import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { SYSTEM } from '../../../core/access/security/index.js'
import {
  createDocument,
  documentEvent,
  emit,
  getDocument,
  queryIds,
  removeDocument,
  updateDocument,
} from '../../../core/content/documents/index.js'
import { mediaKeyOf, VIEWS_REQUESTED } from '../../../core/content/media/index.js'
import { checkIn } from '../../../core/content/versioning/index.js'
import { createBlobValue } from '../../../core/files/blobs/index.js'
import type { BlobValue, DocumentRecord, Properties } from '../../../core/model/properties/index.js'
import { zipOf } from '../../../core/platform/archives/index.js'
import { startMedia } from '../../../engine/index.js'
import { createMediaTasks } from '../../../storage/postgres/index.js'
import { followMedia } from '../../../worker/events/media.js'
import { createTestAutomation } from '../../support/automation.js'
import { soon } from '../../support/soon.js'
import { untilReadable } from '../support/outbox-support.js'
import { createClient, type Entity } from '../support/rest-client.js'

const { platform, settings, client, runtime } = await createTestAutomation()
const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'archivolt-films-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const started: string[] = []
const look = followMedia(platform, platform.database, async (work) => {
  started.push(`media-${work.kind}-${mediaKeyOf(work)}`)
  await startMedia({ client, taskQueue: settings.temporal.taskQueue }, work)
})
await look()

const store = async (name: string, bytes: Uint8Array | string): Promise<BlobValue> =>
  createBlobValue({ stored: await platform.blobs.write(Buffer.from(bytes)), name })

let made = 0
const create = (type: string, file: BlobValue, more: Properties = {}): Promise<DocumentRecord> =>
  platform.withSession(SYSTEM, (session) =>
    createDocument(session, {
      parent: '/default-domain/workspaces',
      name: `media-${made++}`,
      type,
      properties: { 'file:content': file, ...more },
    }),
  )

const read = async (id: string) => {
  const found = await platform.readSession(SYSTEM).stores.documents.get(id)
  if (!found) throw new Error(`${id} is gone`)
  return found.properties as { [xpath: string]: Entity }
}

const historyOf = async (workflowId: string) =>
  (await client.workflow.getHandle(workflowId).fetchHistory()).events ?? []

const activitiesOf = async (workflowId: string): Promise<string[]> =>
  (await historyOf(workflowId)).flatMap(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
  )

/** How many steps of a name were under way at the same time, or waited for a worker, at most. */
const mostAtOnce = async (workflowId: string, name: string): Promise<number> => {
  const open = new Set<string>()
  let most = 0
  for (const event of await historyOf(workflowId)) {
    const { activityTaskScheduledEventAttributes: scheduled } = event
    if (scheduled?.activityType?.name === name) open.add(String(event.eventId))
    open.delete(String(event.activityTaskCompletedEventAttributes?.scheduledEventId))
    most = Math.max(most, open.size)
  }
  return most
}

/** Looks at what has happened, until what is expected holds. */
const eventually = (expectation: () => Promise<void>) =>
  soon(async () => {
    await look()
    await expectation()
  })

const photo = await store(
  'cat.jpg',
  await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#2060a0' } })
    .withExif({
      IFD0: { ImageDescription: 'A cat', Copyright: 'Ann' },
      IFD2: { ISOSpeedRatings: '200', FNumber: '28/10', DateTimeOriginal: '2026:02:03 04:05:06' },
    })
    .jpeg()
    .toBuffer(),
)

describe('pictures', () => {
  test('get size, views and metadata by one run for the same bytes, whatever documents have them', async () => {
    const [first, second] = [await create('Picture', photo), await create('Picture', photo)]
    const sizes = [
      'Thumbnail 100x67',
      'Small 560x373',
      'Medium 1000x667',
      'FullHD 1200x800',
      'OriginalJpeg 1200x800',
    ]
    for (const { id } of [first, second])
      await eventually(async () => {
        const properties = await read(id)
        expect(properties['picture:info']).toEqual({
          ...{ width: 1200, height: 800, depth: 8, format: 'JPEG', colorSpace: 'sRGB' },
        })
        const views = properties['picture:views'].map(
          (view: Entity) => `${view.title} ${view.width}x${view.height}`,
        )
        expect(views).toEqual(sizes)
        expect(properties).toMatchObject({
          'imd:image_description': 'A cat',
          'imd:copyright': 'Ann',
          'imd:iso_speed_ratings': '200',
          'imd:fnumber': 2.8,
          'imd:date_time_original': '2026-02-03T04:05:06.000Z',
        })
      })
    const view = (await read(first.id))['picture:views'][0]
    expect(view).toMatchObject({ filename: 'Thumbnail_cat.jpg', description: 'Thumbnail size', tag: null })
    expect(await sharp(await buffer(await platform.blobs.open(view.content))).metadata()).toMatchObject({
      ...{ format: 'jpeg', width: 100, height: 67 },
    })
    expect((await read(first.id))['dc:modified']).toBe(first.properties['dc:modified'])
  })

  test('are made of a picture though documents change beside it that are too large to be read together', async () => {
    const notes = await Promise.all(Array.from({ length: 6 }, () => create('Note', photo)))
    await platform.database.sql`
      UPDATE documents SET properties = properties || jsonb_build_object('dc:source', repeat(chr(1), 2500000))
      WHERE id = ANY (${notes.map(({ id }) => id)})`
    const picture = await create('Picture', photo)
    await eventually(async () => expect((await read(picture.id))['picture:views']).toHaveLength(5))
    await platform.withSession(SYSTEM, async (session) => {
      for (const { id } of notes) await removeDocument(session, await getDocument(session, id))
    })
  })

  test('the same bytes, met again later, cost nothing', async () => {
    const id = `media-picture-${mediaKeyOf({ source: photo })}`
    await client.workflow.getHandle(id).result()
    const third = await create('Picture', photo)
    await eventually(async () => expect((await read(third.id))['picture:info']).toBeTruthy())
    expect((await read(third.id))['picture:views']).toHaveLength(5)
    await client.workflow.getHandle(id).result()
    expect(await activitiesOf(id)).toEqual(['prepareMedia', 'applyMedia', 'applyMedia'])
  })

  test('the same bytes under another name share the run, and are named as the document has them', async () => {
    const renamed = await create('Picture', { ...photo, name: 'dog.jpeg' })
    await eventually(async () => expect((await read(renamed.id))['picture:info']).toBeTruthy())
    expect((await read(renamed.id))['picture:views']).toHaveLength(5)
    const [view] = (await read(renamed.id))['picture:views']
    expect([view.filename, view.content.name]).toEqual(['Thumbnail_dog.jpg', 'Thumbnail_dog.jpg'])
    const id = `media-picture-${mediaKeyOf({ source: photo })}`
    await client.workflow.getHandle(id).result()
    expect(await activitiesOf(id)).not.toContain('makeMedia')
  })

  test('views are placeholders until they are made, of a new picture and of one with another file', async () => {
    const isFilled = ({ properties }: { properties: Entity }) => {
      const views = properties['picture:views']
      expect(views.map(({ title }: Entity) => title)).toEqual([
        ...['Thumbnail', 'Small', 'Medium', 'FullHD', 'OriginalJpeg'],
      ])
      for (const { content, width } of views)
        expect([content.name, content['mime-type'], width]).toEqual(['empty_picture.png', 'image/png', 100])
      expect(properties['picture:info'] ?? null).toBeNull()
      return views[0].content
    }
    const created = await create('Picture', photo)
    const placeholder = isFilled(created)
    const bytes = await buffer(await platform.blobs.open(placeholder))
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 100, height: 100 })
    await eventually(async () => expect((await read(created.id))['picture:info']).toBeTruthy())
    const other = await store(
      'other.jpg',
      await sharp({ create: { width: 10, height: 10, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer(),
    )
    const changed = await platform.withSession(SYSTEM, async (session) =>
      updateDocument(session, await getDocument(session, created.id), { 'file:content': other }),
    )
    isFilled(changed)
    await eventually(async () =>
      expect((await read(created.id))['picture:info']).toMatchObject({ width: 10 }),
    )
    expect((await read(created.id))['picture:views'][0]).toMatchObject({
      width: 10,
      filename: 'Thumbnail_other.jpg',
    })
  })

  test('a picture that is created with views keeps them, whatever else changes', async () => {
    const own = await store('own.jpg', 'of somebody else')
    const views = [{ title: 'Own', content: own }]
    const kept = await store('kept.jpg', 'a picture')
    const { id } = await create('Picture', kept, { 'picture:views': views })
    await look()
    await platform.withSession(SYSTEM, async (session) => {
      const document = await session.stores.documents.get(id)
      if (!document) throw new Error('It is gone')
      return updateDocument(session, document, { 'dc:title': 'changed' })
    })
    // What happens later is read after it.
    const later = await store('later.txt', 'a later text')
    await create('File', later)
    await eventually(async () => expect(started).toContain(`media-text-${mediaKeyOf({ source: later })}`))
    expect(started).not.toContain(`media-picture-${mediaKeyOf({ source: kept })}`)
    expect((await read(id))['picture:views']).toMatchObject([{ title: 'Own' }])
  })

  test('views are made once more when they are asked for, as they are contributed now', async () => {
    const small = await store(
      'small.jpg',
      await sharp({ create: { width: 90, height: 90, channels: 3, background: '#a06020' } })
        .jpeg()
        .toBuffer(),
    )
    const [asked, other] = [await create('Picture', small), await create('Picture', small)]
    const titles = async ({ id }: DocumentRecord) =>
      (await read(id))['picture:views']?.map(({ title }: Entity) => title)
    await eventually(async () => expect((await read(other.id))['picture:info']).toBeTruthy())
    expect(await titles(other)).toContain('Small')
    await runtime.deployments.deploy({
      ...{ point: 'pictureConversions', name: 'Tiny', principal: SYSTEM, format: 'json', precondition: {} },
      text: JSON.stringify({ maxSize: 30 }),
    })
    await platform.withSession(SYSTEM, async (session) => {
      const document = await getDocument(session, asked.id)
      await emit(session, document, [documentEvent(VIEWS_REQUESTED, document)])
    })
    await eventually(async () => expect(await titles(asked)).toContain('Tiny'))
    expect(await titles(other)).not.toContain('Tiny')
  })

  test('Picture.RecomputeViews asks for them of a document, and by a bulk command of what a query finds', async () => {
    const { id } = await create('Picture', await store('asked.jpg', 'never looked at'))
    const events = () => platform.database.sql`
      SELECT event FROM outbox WHERE document_id = ${id} AND event = ${VIEWS_REQUESTED}`
    const engine = await createEngine(platform)
    const rest = createClient(platform, engine)
    try {
      const url = '/api/v1/automation/Picture.RecomputeViews'
      expect((await rest('POST', url, { json: { input: id, params: {} } })).status).toBe(200)
      expect(await events()).toHaveLength(1)
      const query = `SELECT * FROM Document WHERE ecm:uuid = '${id}'`
      const { status, json } = await rest('POST', url, { json: { params: { query } } })
      expect([status, json.value.action]).toEqual([200, 'recomputeViews'])
    } finally {
      await engine.close()
    }
  })

  test('what is no picture fails once, visibly, and is not tried again', async () => {
    const broken = await store('broken.jpg', 'no picture at all')
    await create('Picture', broken)
    const id = `media-picture-${mediaKeyOf({ source: broken })}`
    await eventually(async () =>
      expect((await client.workflow.getHandle(id).describe()).status.name).toBe('FAILED'),
    )
    const before = started.length
    await look()
    expect(started.slice(before)).not.toContain(id)
  })
})

describe('films and sounds', () => {
  test('a film gets its description, previews, a storyboard, and transcodings in parts', async () => {
    await runtime.deployments.deploy({
      ...{ point: 'videoConversions', name: 'MP4 480p', principal: SYSTEM, format: 'json', precondition: {} },
      text: JSON.stringify({ converter: 'convertToMP4', height: 60, segmentSeconds: 3 }),
    })
    const path = join(folder, 'film.mkv')
    await run('ffmpeg', [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=duration=12:size=160x120:rate=10'],
      ...['-f', 'lavfi', '-i', 'sine=duration=12', '-g', '10', path],
    ])
    const film = await store('film.mkv', await readFile(path))
    const { id } = await create('Video', film)
    await eventually(async () => {
      const properties = await read(id)
      expect(properties['vid:info']).toMatchObject({ width: 160, height: 120, frameRate: 10 })
      expect(properties['vid:info'].duration).toBeCloseTo(12, 0)
      expect(properties['vid:info'].streams.map((stream: Entity) => stream.type)).toEqual(['Video', 'Audio'])
      expect(properties['vid:storyboard']).toHaveLength(9)
      expect(properties['picture:views'].map((view: Entity) => view.title)).toEqual([
        'Small',
        'StaticPlayerView',
      ])
      expect(properties['vid:transcodedVideos'].map((each: Entity) => each.name).sort()).toEqual([
        'MP4 480p',
        'WebM 480p',
      ])
    })
    const transcoding = `media-transcoding:MP4 480p-${mediaKeyOf({ source: film })}`
    const activities = await activitiesOf(transcoding)
    expect(activities.filter((name) => name === 'convertFilmPart').length).toBeGreaterThan(2)
    // The places of a worker are for everybody: a film waits for its own parts.
    expect(await mostAtOnce(transcoding, 'convertFilmPart')).toBe(2)
    const { 'vid:storyboard': board, 'vid:transcodedVideos': films } = await read(id)
    expect(board[1]).toMatchObject({
      timecode: 1.33,
      comment: 'film.mkv 1',
      content: { name: '1.33-seconds.jpeg' },
    })
    for (const { info } of films) {
      expect(info.duration).toBeCloseTo(12, 0)
      expect(info.streams.map((stream: Entity) => stream.type).sort()).toEqual(['Audio', 'Video'])
    }
  })

  test('a film that was taken upright stands upright, in parts as well', async () => {
    const [flat, upright] = [join(folder, 'flat.mp4'), join(folder, 'upright.mp4')]
    const source = ['-f', 'lavfi', '-i', 'testsrc=duration=8:size=160x120:rate=10']
    await run('ffmpeg', ['-v', 'error', '-y', ...source, '-g', '10', '-pix_fmt', 'yuv420p', flat])
    const turned = ['-v', 'error', '-y', '-display_rotation', '90', '-i', flat, '-c', 'copy', upright]
    const turnedBefore6 = [...['-v', 'error', '-y', '-i', flat, '-c', 'copy'], '-metadata:s:v', 'rotate=90']
    await run('ffmpeg', turned).catch(() => run('ffmpeg', [...turnedBefore6, upright]))
    const film = await store('upright.mp4', await readFile(upright))
    const { id } = await create('Video', film)
    await eventually(async () => {
      const properties = await read(id)
      expect(properties['vid:info']).toMatchObject({ width: 120, height: 160 })
      const films: Entity[] = properties['vid:transcodedVideos'] ?? []
      const made = films.find(({ name }) => name === 'MP4 480p')
      expect(made?.info).toMatchObject({ width: 46, height: 60 })
      expect(made?.info.duration).toBeCloseTo(8, 0)
    })
    const activities = await activitiesOf(`media-transcoding:MP4 480p-${mediaKeyOf({ source: film })}`)
    expect(activities.filter((name) => name === 'convertFilmPart').length).toBeGreaterThan(1)
  })

  test('a storyboard has as many pictures as the deployment says, of films as long as it says', async () => {
    await runtime.deployments.deploy({
      ...{ point: 'videoPreviews', name: 'default', principal: SYSTEM, format: 'json', precondition: {} },
      text: JSON.stringify({ storyboardMinDuration: 2, storyboardThumbnailCount: 3 }),
    })
    const path = join(folder, 'short.mp4')
    const source = ['-f', 'lavfi', '-i', 'testsrc=duration=3:size=160x120:rate=10']
    await run('ffmpeg', ['-v', 'error', '-y', ...source, '-pix_fmt', 'yuv420p', path])
    const { id } = await create('Video', await store('short.mp4', await readFile(path)))
    await eventually(async () =>
      expect((await read(id))['vid:storyboard']?.map(({ timecode }: Entity) => timecode)).toEqual([0, 1, 2]),
    )
  })

  test('a sound gets its duration and a picture', async () => {
    const path = join(folder, 'tone.ogg')
    await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'sine=duration=2', path])
    const { id } = await create('Audio', await store('tone.ogg', await readFile(path)))
    await eventually(async () => {
      const properties = await read(id)
      expect(properties['aud:duration']).toBe(2)
      expect(properties['thumb:thumbnail']).toMatchObject({ 'mime-type': 'image/png' })
    })
  })
})

describe('what is made of a document', async () => {
  const engine = await createEngine(platform)
  const rest = createClient(platform, engine)
  afterAll(() => engine.close())
  const film = async (name: string, seconds: number) => {
    const path = join(folder, name)
    const input = `testsrc2=duration=${seconds}:size=640x480:rate=25`
    // A sixth of the processor time of the usual preset, which would make a smaller file.
    await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', input, '-preset', 'ultrafast', path])
    return store(name, await readFile(path))
  }
  const mediaOf = async (id: string) =>
    (await rest('GET', `/api/v1/id/${id}/@media`)).json.entries as Entity[]
  const entry = async (id: string, kind: string) => (await mediaOf(id)).find((each) => each.kind === kind)

  test('is queued with a place, then pending with its progress, then done; a failure has its reason', async () => {
    const tasks = createMediaTasks(platform.database.sql)
    const kind = 'transcoding:Ogg 480p'
    const source = await film('queue.mp4', 20)
    const { id: first } = await create('Folder', await store('first.mp4', 'no film'))
    const { id } = await create('Folder', source)
    const noFilm = { kind, source: (await read(first))['file:content'] as unknown as BlobValue }
    await tasks.want([{ documentId: first, owner: 'ann', ...noFilm }])
    await tasks.want([{ documentId: id, owner: 'ann', kind, source }])
    expect(await entry(id, kind)).toEqual({
      ...{ kind, state: 'queued', status: 'status.video.conversionQueued' },
      ...{ positionInQueue: 1, queueSize: 2 },
    })
    const events = rest('GET', `/api/v1/id/${id}/@media/events`)
    await startMedia({ client, taskQueue: settings.temporal.taskQueue }, { kind, source })
    await soon(async () =>
      expect(await entry(id, kind)).toMatchObject({
        ...{ state: 'running', status: 'status.video.conversionPending', progress: expect.any(Number) },
      }),
    )
    await startMedia({ client, taskQueue: settings.temporal.taskQueue }, noFilm)
    await soon(async () =>
      expect(await mediaOf(first)).toEqual([{ kind, state: 'failed', error: expect.stringMatching(/./) }]),
    )
    await soon(async () => expect(await entry(id, kind)).toEqual({ kind, state: 'done' }))
    const { text } = await events
    expect(text).toMatch(/^event: progress\ndata: /)
    expect(text).toMatch(/"running","progress":0?\.\d/)
    expect(text).toMatch(/event: completed\ndata: .*"done"[^\n]*\n\n$/)
    const { events: history = [] } = await client.workflow
      .getHandle(`media-${kind}-${mediaKeyOf({ source })}`)
      .fetchHistory()
    const signals = (history ?? []).filter((each) => each.workflowExecutionSignaledEventAttributes)
    expect(signals.length).toBeGreaterThan(0)
    expect(signals.length).toBeLessThan(10)
  })

  test('is followed from the moment on at which its file is there', async () => {
    const { id } = await create('Picture', await store('seen.png', 'no picture'))
    const events = rest('GET', `/api/v1/id/${id}/@media/events`)
    expect(await mediaOf(id)).toEqual([])
    await untilReadable(platform.database.sql)
    await look()
    await soon(async () => expect(await mediaOf(id)).toMatchObject([{ kind: 'picture', state: 'failed' }]))
    expect((await events).text).toMatch(
      /event: completed\ndata: .*"kind":"picture","state":"failed"[^\n]*\n\n$/,
    )
  })

  test('is cancelled with its run, and says so', async () => {
    const kind = 'transcoding:Ogg 480p'
    const source = await film('cancelled.mp4', 60)
    const { id } = await create('Folder', source)
    await createMediaTasks(platform.database.sql).want([{ documentId: id, owner: 'ann', kind, source }])
    await startMedia({ client, taskQueue: settings.temporal.taskQueue }, { kind, source })
    await soon(async () => expect(await entry(id, kind)).toMatchObject({ state: 'running' }))
    await client.workflow.getHandle(`media-${kind}-${mediaKeyOf({ source })}`).cancel()
    await soon(async () =>
      expect(await entry(id, kind)).toEqual({ kind, state: 'failed', error: 'It was cancelled' }),
    )
    expect((await read(id))['vid:transcodedVideos']).toBeUndefined()
  })
})

describe('words of files', () => {
  const found = (word: string) =>
    queryIds(platform.readSession(SYSTEM), `SELECT * FROM Document WHERE ecm:fulltext = '${word}'`, 10)

  const book = async () => {
    const page =
      '<html><head><title>t</title><style>p{}</style></head><body><p>Zanzibarian &amp; sons</p></body></html>'
    const bytes = Buffer.from(page)
    const entry = { name: 'OEBPS/one.xhtml', length: bytes.length, open: () => Readable.from([bytes]) }
    return buffer(zipOf([entry]))
  }
  const mail =
    'Subject: Xylophonist\r\nFrom: Ann <ann@example.org>\r\nContent-Type: text/html\r\n\r\n<p>Quagmires</p>\r\n'

  test.each([
    ['a text', 'a.txt', async () => 'the word perspicacity', 'perspicacity'],
    ['a mail: its subject', 'a.eml', async () => mail, 'xylophonist'],
    ['a mail: its page', 'b.eml', async () => `${mail} `, 'quagmires'],
    ['a book', 'a.epub', book, 'zanzibarian'],
  ])('%s', async (_case, name, bytes, word) => {
    const { id } = await create('File', await store(name, await bytes()))
    await eventually(async () => expect(await found(word)).toContain(id))
  })

  test('of a new version, which cost no further extraction', async () => {
    const file = await store('versioned.txt', 'the word sesquipedalian')
    const { id } = await create('File', file)
    await eventually(async () => expect(await found('sesquipedalian')).toEqual([id]))
    // A run that goes on would take the version as well.
    await client.workflow.getHandle(`media-text-${mediaKeyOf({ source: file })}`).result()
    const { version } = await platform.withSession(SYSTEM, async (session) => {
      const document = await session.stores.documents.get(id)
      if (!document) throw new Error('It is gone')
      return checkIn(session, document, { increment: 'MINOR' })
    })
    await eventually(async () =>
      expect((await found('sesquipedalian')).sort()).toEqual([id, version.id].sort()),
    )
    await client.workflow.getHandle(`media-text-${mediaKeyOf({ source: file })}`).result()
    expect(await activitiesOf(`media-text-${mediaKeyOf({ source: file })}`)).not.toContain('makeMedia')
  })
})

describe('what waits', () => {
  test('is begun in turns of those who ask: many files of one hold up nobody', async () => {
    const tasks = createMediaTasks(platform.database.sql)
    const sources = Array.from({ length: 30 }, (_, at) => ({
      ...photo,
      ...{ key: undefined, digest: `turn-${at}`, name: `turn-${at}.jpg` },
    }))
    const want = async (owner: string, files: readonly BlobValue[]) => {
      for (const source of files) {
        const { id: documentId } = await create('Folder', source)
        await tasks.want([{ documentId, owner, kind: 'turns', source }])
      }
    }
    await want('ann', sources.slice(0, 25))
    await want('bob', sources.slice(25, 27))
    await want('cat', sources.slice(27))
    const turns = (await tasks.waiting(8)).map(({ source }) => Number(source.name?.match(/\d+/)?.[0]))
    expect(turns).toEqual([0, 25, 27, 1, 26, 28, 2, 29])
    for (const source of sources) await tasks.settle({ kind: 'turns', source }, { error: 'not made' })
    expect(await tasks.waiting(8)).toEqual([])
  })
})
