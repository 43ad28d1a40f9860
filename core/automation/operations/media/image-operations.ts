import type { BlobValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import {
  defineOperation,
  type Operation,
  type OperationContext,
  type Parameters,
} from '../../language/index.js'
import { isAbsentBlob, mainBlob } from '../blobs/main-blob.js'

const PIXELS = { type: 'integer', description: 'Pixels.' } as const
const FORMAT = {
  type: 'string',
  description: "jpeg, png, webp, gif, tiff or avif; default the picture's own.",
} as const

type Given = { [name: string]: string | number | undefined }

type ImageOperation = {
  id: string
  label: string
  description: string
  converter: string
  params: Parameters
}

const OPERATIONS: readonly ImageOperation[] = [
  {
    id: 'Image.Blob.Resize',
    label: 'Resize a picture',
    description: 'Scales a picture down into a box, whose other side follows where one is absent.',
    converter: 'pictureResize',
    params: {
      width: PIXELS,
      height: PIXELS,
      depth: { type: 'integer', description: 'Bits of a colour channel, 8 (the default) or 16.' },
      conversionFormat: FORMAT,
    },
  },
  {
    id: 'Image.Blob.Crop',
    label: 'Crop a picture',
    description: 'Gives a part of a picture.',
    converter: 'pictureCrop',
    params: {
      x: { ...PIXELS, default: 0 },
      y: { ...PIXELS, default: 0 },
      width: { ...PIXELS, isRequired: true },
      height: { ...PIXELS, isRequired: true },
      conversionFormat: FORMAT,
    },
  },
  {
    id: 'Image.Blob.Rotate',
    label: 'Rotate a picture',
    description: 'Turns a picture clockwise.',
    converter: 'pictureRotation',
    params: {
      angle: { type: 'integer', isRequired: true, description: 'Degrees, from -360 to 360.' },
      conversionFormat: FORMAT,
    },
  },
  {
    id: 'Image.Blob.Convert',
    label: 'Convert a picture',
    description: 'Writes a picture in another format.',
    converter: 'pictureConvert',
    params: { conversionFormat: { ...FORMAT, isRequired: true } },
  },
  {
    id: 'Image.Blob.Watermark',
    label: 'Watermark a picture',
    description: 'Writes a text on a picture.',
    converter: 'pictureWatermark',
    params: {
      watermark: { type: 'string', isRequired: true, maxLength: 200, description: 'The text.' },
      gravity: {
        type: 'string',
        default: 'southeast',
        description: 'Where it stands, such as centre or northwest.',
      },
      opacity: { type: 'integer', default: 50, description: 'Per cent, from 1 to 100.' },
      color: { type: 'string', default: 'white', description: 'Its colour, such as white or #ff0000.' },
      conversionFormat: FORMAT,
    },
  },
  {
    id: 'Image.Blob.ConvertToPDF',
    label: 'Convert a picture to PDF',
    description: 'Makes a PDF of a picture.',
    converter: 'pictureConvertToPDF',
    params: {},
  },
]

const textsOf = (given: Given): { [name: string]: string } =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

/** Each runs one converter, with the parameters that it reads. */
const defined = ({ converter, ...operation }: ImageOperation): Operation =>
  defineOperation({
    ...operation,
    category: 'Conversion',
    isSlow: true,
    methods: ({ method }) => {
      const converted = (context: OperationContext, source: BlobValue, given: Given): Promise<BlobValue> => {
        if (isAbsentBlob(source)) throw fail('badRequest', 'There is no picture: the document has no file')
        const { services, session, signal } = context
        const parameters = textsOf(given)
        return services.convert({ source, converter, parameters, signal, principal: session.principal })
      }
      return [
        method('document', 'blob', async ({ context, input, params }) => {
          const source = await mainBlob(context, input, 'conversion')
          if (!source) throw fail('badRequest', `No Blob found on ${input.path ?? input.id}`)
          return { type: 'blob', blob: await converted(context, source, params as Given) }
        }),
        method('blob', 'blob', async ({ context, input, params }) => ({
          type: 'blob',
          blob: await converted(context, input, params as Given),
        })),
        method('bloblist', 'bloblist', async ({ context, input, params }) => {
          const blobs: BlobValue[] = []
          for (const source of input) {
            throwIfStopped(context.signal)
            blobs.push(await converted(context, source, params as Given))
          }
          return { type: 'blobs', blobs }
        }),
      ]
    },
  })

/** What is made of single pictures, by the converters of pictures. */
export const imageOperations: readonly Operation[] = OPERATIONS.map(defined)
