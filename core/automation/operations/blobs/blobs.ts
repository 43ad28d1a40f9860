import { getDocument } from '../../../content/documents/index.js'
import { getProperty, isBlobValue, removeProperty, setProperty } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, documentValue, type Operation } from '../../language/index.js'
import { FILE_XPATH, SAVE } from '../shared/parameters.js'
import { applyChanges } from '../shared/unsaved.js'
import { blobChange, requireFileField } from './changes.js'
import { absentBlob, allBlobs, blobsFrom, mainBlob } from './main-blob.js'

const CATEGORY = 'Files'

const getBlob = defineOperation({
  id: 'Document.GetBlob',
  aliases: ['Blob.Get'],
  label: 'Get Document File',
  category: CATEGORY,
  description: 'Gives the file at a property of the input document, or else its main file.',
  isReadOnly: true,
  params: { xpath: FILE_XPATH },
  methods: ({ iterating }) => [
    iterating('document', 'blob', async ({ context, input, params }) => {
      const found = getProperty(input.properties, { model: context.session.model, xpath: params.xpath })
      if (found === undefined) throw fail('badRequest', `xpath: there is no property '${params.xpath}'`)
      const [own] = isBlobValue(found) ? await blobsFrom(context, input, params) : []
      return {
        type: 'blob',
        blob: own ?? (await mainBlob(context, input)) ?? (await absentBlob(context, input)),
      }
    }),
  ],
})

const setBlob = defineOperation({
  id: 'Document.SetBlob',
  aliases: ['Blob.Set'],
  label: 'Set File',
  category: CATEGORY,
  description: 'Puts a file into a property of the input document.',
  params: {
    xpath: FILE_XPATH,
    file: { type: 'blob', description: 'The file.', isRequired: true },
    save: SAVE,
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const changes = blobChange(session.model, input, { xpath: params.xpath, blobs: [params.file] })
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
    document: {
      type: 'document',
      description: 'The document to which the file is attached.',
      isRequired: true,
    },
    save: { ...SAVE, description: 'Write the change; otherwise it is only checked that it could be made.' },
  },
  methods: ({ iterating }) => [
    iterating('blob', 'blob', async ({ context: { session }, input, params }) => {
      // The next file of a list finds the document as the one before it left it.
      const document = await getDocument(session, params.document.id)
      const changes = blobChange(session.model, document, { xpath: params.xpath, blobs: [input] })
      await applyChanges(session, document, { changes, save: params.save })
      return { type: 'blob', blob: input }
    }),
  ],
})

const getBlobs = defineOperation({
  id: 'Document.GetBlobs',
  aliases: ['Blob.GetAll'],
  label: 'Get All Document Files',
  category: CATEGORY,
  description: 'Gives all files of the input document: its main file and the attached ones.',
  isReadOnly: true,
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'bloblist', async ({ context, input }) => ({
      type: 'blobs',
      blobs: await allBlobs(context, input),
    })),
  ],
})

const getBlobsByProperty = defineOperation({
  id: 'Document.GetBlobsByProperty',
  aliases: ['Blob.GetList'],
  label: 'Get Document Files',
  category: CATEGORY,
  description: 'Gives the files of a property that holds a list of them.',
  isReadOnly: true,
  params: {
    xpath: { type: 'string', default: 'files:files', names: 'fileProperty', description: 'The property.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'bloblist', async ({ context, input, params }) => {
      const { xpath } = requireFileField(context.session.model, input, params.xpath)
      return { type: 'blobs', blobs: await blobsFrom(context, input, { xpath }) }
    }),
  ],
})

const setName = defineOperation({
  id: 'Document.SetBlobName',
  aliases: ['Blob.SetFilename'],
  label: 'Set File Name',
  category: CATEGORY,
  description: 'Gives the file at a property of the input document another name.',
  params: {
    name: { type: 'string', description: 'The new name of the file.', isRequired: true },
    xpath: FILE_XPATH,
    save: SAVE,
  },
  methods: ({ iterating }) => [
    iterating(
      'document',
      'document',
      async ({ context: { session }, input, params: { name, ...params } }) => {
        const { model } = session
        if (name.trim() === '') throw fail('badRequest', 'name: must not be empty')
        const { key, xpath } = requireFileField(model, input, params.xpath)
        const blob = getProperty(input.properties, { model, xpath })
        if (!isBlobValue(blob)) throw fail('badRequest', `xpath: there is no file at '${params.xpath}'`)
        const value = { ...blob, name }
        const changes = { [key]: setProperty(input.properties, { model, xpath, value })[key] ?? null }
        return documentValue(await applyChanges(session, input, { changes, save: params.save }))
      },
    ),
  ],
})

const removeBlob = defineOperation({
  id: 'Blob.RemoveFromDocument',
  aliases: ['Blob.Remove'],
  label: 'Remove File',
  category: CATEGORY,
  description: 'Takes the file at a property off the input document; of a list, all of them.',
  params: { xpath: FILE_XPATH, save: SAVE },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const { model } = session
      const { key, xpath } = requireFileField(model, input, params.xpath)
      const changes = { [key]: removeProperty(input.properties, { model, xpath })[key] ?? null }
      return documentValue(await applyChanges(session, input, { changes, save: params.save }))
    }),
  ],
})

export const blobOperations: readonly Operation[] = [
  getBlob,
  getBlobs,
  getBlobsByProperty,
  setBlob,
  attach,
  setName,
  removeBlob,
]
