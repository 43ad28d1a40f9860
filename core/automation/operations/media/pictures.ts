import { createDocument } from '../../../content/documents/index.js'
import type { BlobValue, DocumentRecord, PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  defineOperation,
  documentValue,
  type Operation,
  type OperationContext,
  type Value,
  VOID,
} from '../../language/index.js'
import { absentBlob, blobsFrom, mainBlob } from '../blobs/main-blob.js'
import { readChanges } from '../shared/property-input.js'

const CATEGORY = 'Conversion'

type Bounds = { maxWidth: number; maxHeight: number }

const side = (name: string, pixels: number): { [name: string]: string } => {
  if (!Number.isSafeInteger(pixels) || pixels < 0)
    throw fail('badRequest', `${name}: expected a whole number of pixels, got ${pixels}`)
  return pixels === 0 ? {} : { [name === 'maxWidth' ? 'width' : 'height']: String(pixels) }
}

const resized = async (
  { services, session: { principal }, signal }: OperationContext,
  source: BlobValue,
  { maxWidth, maxHeight }: Bounds,
): Promise<Value> => {
  const parameters = { ...side('maxWidth', maxWidth), ...side('maxHeight', maxHeight) }
  const blob = await services.convert({ source, converter: 'pictureResize', parameters, signal, principal })
  return { type: 'blob', blob }
}

const resize = defineOperation({
  id: 'Picture.Resize',
  aliases: ['Picture.resize'],
  label: 'Resize a picture',
  category: CATEGORY,
  description: 'Scales the input picture, or that of the input document, down into a box.',
  isSlow: true,
  params: {
    maxWidth: { type: 'integer', isRequired: true, default: 0, description: 'Pixels; 0 for any.' },
    maxHeight: { type: 'integer', isRequired: true, default: 0, description: 'Pixels; 0 for any.' },
  },
  methods: ({ method }) => [
    method('document', 'blob', async ({ context, input, params }) => {
      const picture = await mainBlob(context, input, 'conversion')
      return picture
        ? resized(context, picture, params)
        : { type: 'blob', blob: await absentBlob(context, input) }
    }),
    method('blob', 'blob', ({ context, input, params }) => resized(context, input, params)),
  ],
})

const viewNamed = (views: PropertyValue | undefined, name: string): number =>
  Array.isArray(views)
    ? views.findIndex(
        (view) => typeof view === 'object' && view !== null && 'title' in view && view.title === name,
      )
    : -1

const viewOf = async (
  context: OperationContext,
  document: DocumentRecord,
  name: string | undefined,
): Promise<Value> => {
  const wanted = name?.trim() ?? ''
  if (wanted === '') {
    const blob = await mainBlob(context, document)
    return blob ? { type: 'blob', blob } : VOID
  }
  const index = viewNamed(document.properties['picture:views'], wanted)
  if (index < 0) return VOID
  const [blob] = await blobsFrom(context, document, { xpath: `picture:views/${index}/content` })
  return blob ? { type: 'blob', blob } : VOID
}

const getView = defineOperation({
  id: 'Picture.GetView',
  aliases: ['Picture.getView'],
  label: 'Get image view',
  category: CATEGORY,
  description: 'Gives a view of the input document by its title, and without one the picture itself.',
  params: { viewName: { type: 'string', description: 'Title of the view.' } },
  methods: ({ method }) => [
    method('document', 'blob', ({ context, input, params }) => viewOf(context, input, params.viewName)),
  ],
})

const ORIGINAL = 'originalPicture'

const create = defineOperation({
  id: 'Picture.Create',
  label: 'Create Picture',
  category: 'Document',
  description: 'Creates a picture below the input document; its views follow.',
  params: {
    name: { type: 'string', description: 'Name of the document.' },
    properties: { type: 'properties', description: `Properties; ${ORIGINAL} is the file.` },
    pictureTemplates: { type: 'properties', description: 'Without effect: views are contributed.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params: { name, properties = {} } }) => {
      const { [ORIGINAL]: picture, ...others } = properties
      const { session, services, variables } = context
      const values = await readChanges(
        { ...others, ...(picture !== undefined && { 'file:content': picture }) },
        {
          model: session.model,
          blobs: services.blobs,
          variables,
          document: { type: 'Picture', facets: [], properties: {} },
        },
      )
      const title = typeof values['dc:title'] === 'string' ? values['dc:title'] : undefined
      const created = await createDocument(session, {
        parent: input,
        name: name?.trim() || title || 'picture',
        type: 'Picture',
        properties: values,
      })
      return documentValue(created)
    }),
  ],
})

export const pictureOperations: readonly Operation[] = [resize, getView, create]
