import { z } from 'zod'
import { getDocument } from '../../../core/content/documents/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { progressStream } from '../../edge/index.js'
import { component, json } from '../../openapi/index.js'
import type { RestServices } from '../rendering/index.js'
import { documentGroup } from '../requests/index.js'
import type { Adapter, AdapterEngine, MediaState } from './adapter.js'

/** Milliseconds between two looks at what somebody follows. */
const FOLLOW_MS = 500

/** How long somebody may wait for the first of it: a worker looks at what has happened each second. */
const UNSEEN_MS = 5_000

const TRANSCODING = 'transcoding:'

const item = z.object({
  kind: z
    .string()
    .describe('picture, video, audio, thumbnail, text, or transcoding: with the name of a conversion'),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  progress: z.number().min(0).max(1).optional().describe('Of one that is running and reports it'),
  error: z.string().optional().describe('Why it failed'),
  status: z
    .enum(['status.video.conversionQueued', 'status.video.conversionPending'])
    .optional()
    .describe('Of a conversion of a film that has not ended'),
  positionInQueue: z.number().int().optional().describe('Of one that is queued: how many came before it'),
  queueSize: z.number().int().optional().describe('Of one that is queued: how many wait, 1,000 at most'),
})

const media = component(
  'media',
  z.object({ 'entity-type': z.literal('media'), entries: z.array(item) }),
  'What is made of the main file of a document',
)

const events = {
  description: 'The same whenever it changes',
  content: { 'text/event-stream': z.string() },
}

export const mediaDocs = documentGroup({ tag: 'files' })({
  getMedia: [
    'GET /@media',
    "What is made of a document's main file, and how far that is",
    { 200: json('Each kind', media) },
  ],
  followMedia: [
    'GET /@media/events',
    'The same as server-sent events, until all of it has ended',
    {
      description: 'Events are named progress; the last is named completed.',
      200: events,
      errors: [429],
    },
  ],
})

const stateOf = ({ state, run }: MediaState): z.output<typeof item>['state'] => {
  if (state !== 'waiting') return state
  return run ? 'running' : 'queued'
}

/** States of conversions of films as the reference has them (blobs-conversions.md §5). */
const statusOf = (kind: string, state: string) => {
  if (!kind.startsWith(TRANSCODING)) return undefined
  if (state === 'queued') return 'status.video.conversionQueued' as const
  return state === 'running' ? ('status.video.conversionPending' as const) : undefined
}

const itemOf = (task: MediaState): z.output<typeof item> => {
  const { kind, run, error, positionInQueue, queueSize } = task
  const state = stateOf(task)
  const status = statusOf(kind, state)
  return {
    ...{ kind, state },
    ...(run?.fraction !== undefined && { progress: run.fraction }),
    ...(error !== undefined && { error }),
    ...(status && { status }),
    ...(state === 'queued' && { positionInQueue, queueSize }),
  }
}

/** `@media`: what is made of a document's file, once or as events. */
export const mediaAdapter = (
  { platform }: RestServices,
  { mediaOf }: Pick<AdapterEngine, 'mediaOf'>,
): Adapter => ({
  name: 'media',
  methods: {
    GET: async ({ c, ref, rest }) => {
      const { id } = await getDocument(platform.readSession(c.get('principal')), ref)
      const entity = async () => ({
        'entity-type': 'media' as const,
        entries: (await mediaOf(id)).map(itemOf),
      })
      if (rest === '') return c.json(await entity())
      if (rest !== 'events') throw fail('notFound', `@media has no '${rest}'`)
      return progressStream(c, platform.progressStreams, async (stream) => {
        let sent = ''
        const unseenUntil = Date.now() + UNSEEN_MS
        while (!stream.aborted) {
          const found = await entity()
          const isUnseen = found.entries.length === 0 && Date.now() < unseenUntil
          const isOver =
            !isUnseen && found.entries.every(({ state }) => state === 'done' || state === 'failed')
          const data = JSON.stringify(found)
          if (isOver) return void (await stream.writeSSE({ event: 'completed', data }))
          if (data !== sent) await stream.writeSSE({ event: 'progress', data })
          sent = data
          await stream.sleep(FOLLOW_MS)
        }
      })
    },
  },
})
