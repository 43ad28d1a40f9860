import { defineOperation, documentValue, type Operation } from '../automation/index.js'
import { isBlobValue } from '../blobs/index.js'
import type { ContentModel, Field } from '../content-model/index.js'
import { type BlobValue, getDocument, type Properties, type PropertyValue } from '../documents/index.js'
import { fail } from '../errors/index.js'
import { getProperty, setProperty } from '../properties/index.js'
import { absentBlob, mainBlob } from './main-blob.js'
import { requireField, type Shape } from './property-input.js'
import { FILE_XPATH, SAVE } from './shared-parameters.js'
import { applyChanges } from './unsaved.js'

const CATEGORY = 'Files'

/** A file as an entry of a list: itself, or the map that has it in its first field for files. */
const listEntry = (field: Field, blob: BlobValue, xpath: string): PropertyValue => {
  if (field.type === 'blob') return blob
  const part = field.fields.find((sub) => sub.type === 'blob' && !sub.isList)
  if (!part) throw fail('badRequest', `xpath: '${xpath}' holds no files`)
  return { [part.name]: blob }
}

/**
 * The change that puts a file at an xpath; at the end, where there is a list.
 *
 * @throws badRequest naming an xpath that is unknown or holds no files.
 */
const blobChange = (
  model: ContentModel,
  document: Shape,
  { xpath, blob }: { xpath: string; blob: BlobValue },
): Properties => {
  const { key, field, xpath: canonical } = requireField(model, document, xpath)
  if (!field.isList && field.type !== 'blob') throw fail('badRequest', `xpath: '${xpath}' holds no file`)
  const current = field.isList ? getProperty(document.properties, { model, xpath: canonical }) : null
  const value = field.isList
    ? [...(Array.isArray(current) ? current : []), listEntry(field, blob, xpath)]
    : blob
  return { [key]: setProperty(document.properties, { model, xpath: canonical, value })[key] ?? null }
}

const getBlob = defineOperation({
  id: 'Document.GetBlob',
  aliases: ['Blob.Get'],
  label: 'Get Document File',
  category: CATEGORY,
  description: 'Gives the file at a property of the input document, or else its main file.',
  params: { xpath: FILE_XPATH },
  methods: ({ iterating }) => [
    iterating('document', 'blob', async ({ context, input, params }) => {
      const found = getProperty(input.properties, { model: context.session.model, xpath: params.xpath })
      if (found === undefined) throw fail('badRequest', `xpath: there is no property '${params.xpath}'`)
      const blob = isBlobValue(found)
        ? found
        : ((await mainBlob(context, input)) ?? (await absentBlob(context, input)))
      return { type: 'blob', blob }
    }),
  ],
})

const setBlob = defineOperation({
  id: 'Document.SetBlob',
  aliases: ['Blob.Set'],
  label: 'Set File',
  category: CATEGORY,
  description: 'Puts a file into a property of the input document.',
  params: { xpath: FILE_XPATH, file: { type: 'blob', isRequired: true }, save: SAVE },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const changes = blobChange(session.model, input, { xpath: params.xpath, blob: params.file })
      return documentValue(await applyChanges(session, input, { changes, save: params.save }))
    }),
  ],
})

const attach = defineOperation({
  id: 'Blob.AttachOnDocument',
  aliases: ['Blob.Attach'],
  label: 'Attach File',
  category: CATEGORY,
  description: 'Puts the input file into a property of a document, and passes the file on.',
  params: {
    xpath: FILE_XPATH,
    document: { type: 'document', isRequired: true },
    save: { ...SAVE, description: 'Write the change; otherwise it is only checked that it could be made.' },
  },
  methods: ({ iterating }) => [
    iterating('blob', 'blob', async ({ context: { session }, input, params }) => {
      // The next file of a list finds the document as the one before it left it.
      const document = await getDocument(session, params.document.id)
      const changes = blobChange(session.model, document, { xpath: params.xpath, blob: input })
      await applyChanges(session, document, { changes, save: params.save })
      return { type: 'blob', blob: input }
    }),
  ],
})

export const blobOperations: readonly Operation[] = [getBlob, setBlob, attach]
