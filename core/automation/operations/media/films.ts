import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation, type OperationContext } from '../../language/index.js'

const CATEGORY = 'Conversion'

const DURATION = {
  type: 'string',
  isRequired: true,
  description: 'Seconds, or HH:MM:SS.',
} as const

const requestOf = ({ session: { principal }, signal }: OperationContext) => ({ principal, signal })

const slice = defineOperation({
  id: 'Video.Slice',
  label: 'SliceVideo',
  category: CATEGORY,
  description: 'Gives a part of the input film.',
  isSlow: true,
  params: {
    startAt: { type: 'string', isRequired: true, description: 'Seconds, or HH:MM:SS.' },
    duration: DURATION,
    encode: {
      type: 'boolean',
      default: true,
      description: 'Encode it again, to the frame; otherwise it is cut at key frames.',
    },
  },
  methods: ({ method }) => [
    method('blob', 'blob', async ({ context, input: source, params }) => ({
      type: 'blob',
      blob: await context.services.media.sliceFilm({ ...requestOf(context), source, slice: params }),
    })),
  ],
})

const sliceInParts = defineOperation({
  id: 'Video.SliceInParts',
  label: 'SliceVideoInParts',
  category: CATEGORY,
  description: 'Cuts the input film into parts of about the same length, at its key frames.',
  isSlow: true,
  params: { duration: DURATION },
  methods: ({ method }) => [
    method('blob', 'bloblist', async ({ context, input: source, params: { duration } }) => ({
      type: 'blobs',
      blobs: await context.services.media.sliceInParts({ ...requestOf(context), source, duration }),
    })),
  ],
})

const concat = defineOperation({
  id: 'Video.Concat',
  label: 'ConcatVideos',
  category: CATEGORY,
  description: 'Joins the input films one after the other, in the size and format of the first.',
  isSlow: true,
  params: {},
  methods: ({ method }) => [
    method('bloblist', 'blob', async ({ context, input: sources }) => ({
      type: 'blob',
      blob: await context.services.media.concatFilms({ ...requestOf(context), sources }),
    })),
  ],
})

const pixels = (name: string, text: string): number => {
  if (/^\d{1,5}$/.test(text.trim())) return Number(text)
  throw fail('badRequest', `${name}: expected a whole number of pixels, got ${JSON.stringify(text)}`)
}

const watermark = defineOperation({
  id: 'Video.AddWatermark',
  label: 'Watermarks a Video with a Picture',
  category: CATEGORY,
  description: 'Puts a picture on the input film.',
  isSlow: true,
  params: {
    watermark: { type: 'blob', isRequired: true, description: 'The picture.' },
    x: { type: 'string', default: '0', description: 'Pixels from the left.' },
    y: { type: 'string', default: '0', description: 'Pixels from above.' },
  },
  methods: ({ method }) => [
    method('blob', 'blob', async ({ context, input: source, params }) => {
      const place = { x: pixels('x', params.x), y: pixels('y', params.y) }
      const request = requestOf(context)
      const picture = await context.services.convert({
        ...{ source: params.watermark, converter: 'pictureToPng', principal: request.principal },
        signal: context.signal,
      })
      const blob = await context.services.media.watermarkFilm({ ...request, source, picture, ...place })
      return { type: 'blob', blob }
    }),
  ],
})

export const filmOperations: readonly Operation[] = [slice, sliceInParts, concat, watermark]
